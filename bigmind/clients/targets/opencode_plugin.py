"""The plugin of opencode, in which its hooks are: a file of JavaScript that runs our command, and is never in the way.

Written against @opencode-ai/plugin of 1.18. A conversation is begun with the first request to the model, so that one
that is taken up again is too; children of a conversation are left out. `opencode run` is over when its model stops, and
tells of no end. What opencode asks the model for itself, a title or a summary, gets no context: such a request is known
by the prompt of its agent, which stands first in it. No shell is between, but on Windows for a batch file, which Node
starts in no other way: its path is told by a variable there, as cmd reads what stands between two `%` as the name of
one, also in quotes.
"""

import json

PLUGIN = r"""// Written by BigMind, and anew with each update.
// It runs `bigmind hook session-start --client opencode`, and the like.
import { spawn } from "node:child_process"

const COMMAND = __COMMAND__
const LONGEST = 5000
const LONGEST_MESSAGE = 4000
const OWN_AGENTS = ["title", "summary", "compaction"]

function start(words) {
  const options = { stdio: ["pipe", "pipe", "ignore"], windowsHide: true }
  if (!/\.(cmd|bat)$/i.test(COMMAND)) return spawn(COMMAND, words, options)
  const env = { ...process.env, HOOK_COMMAND: COMMAND }
  return spawn(['"%HOOK_COMMAND%"', ...words].join(" "), { ...options, env, shell: process.env.ComSpec ?? true })
}

// What it started keeps its output open.
function end(child) {
  if (process.platform === "win32") {
    const taskkill = `${process.env.SystemRoot}\\System32\\taskkill.exe`
    const options = { stdio: "ignore", windowsHide: true }
    spawn(taskkill, ["/T", "/F", "/PID", `${child.pid}`], options).on("error", () => {})
  } else child.kill()
  child.stdout.destroy()
  child.unref()
}

function hook(event, input) {
  return new Promise((resolve) => {
    let told = ""
    const child = start(["hook", event, "--client", "opencode"])
    const late = setTimeout(() => {
      end(child)
      done()
    }, LONGEST)
    const done = () => {
      clearTimeout(late)
      try {
        resolve(JSON.parse(told))
      } catch {
        resolve({})
      }
    }
    child.on("error", done)
    child.on("close", done)
    child.stdin.on("error", () => {})
    child.stdout.on("data", (part) => (told += part))
    child.stdin.end(JSON.stringify({ ...input, hook_event_name: event }))
  }).catch(() => ({}))
}

async function ownPrompts(client) {
  let waiting
  const late = new Promise((resolve) => (waiting = setTimeout(resolve, LONGEST, {})))
  const { data } = await Promise.race([client.app.agents(), late]).finally(() => clearTimeout(waiting))
  return (data ?? []).filter(({ name, prompt }) => prompt && OWN_AGENTS.includes(name)).map(({ prompt }) => prompt)
}

export const BigMind = async ({ client, directory }) => {
  if (globalThis.bigmindHooks) return {}
  globalThis.bigmindHooks = true
  const begun = new Map()
  const children = new Set()
  const asked = new Map()
  const said = new Map()
  let prompts

  const single = process.argv[2] === "run" ? { attended: false } : {}
  const input = (id) => ({ session_id: id, cwd: directory, ...single })
  const context = (answer) => answer.hookSpecificOutput?.additionalContext
  const begin = (id) => {
    if (!begun.has(id)) begun.set(id, hook("session-start", { ...input(id), source: "startup" }).then(context))
    return begun.get(id)
  }
  const ofOpencode = async ([first]) => {
    prompts ??= ownPrompts(client).catch(() => [])
    return (await prompts).some((prompt) => first?.startsWith(prompt))
  }

  return {
    event: async ({ event }) => {
      const about = event.properties ?? {}
      if (event.type === "session.created" && about.info?.parentID) children.add(about.info.id)
      if (event.type === "session.idle" && begun.has(about.sessionID)) {
        const last = { ...input(about.sessionID), last_assistant_message: said.get(about.sessionID) ?? "" }
        await hook(process.argv[2] === "run" ? "session-end" : "stop", last)
      }
      if (event.type === "session.deleted" && begun.delete(about.info?.id)) {
        said.delete(about.info.id)
        await hook("session-end", input(about.info.id))
      }
    },
    "chat.message": async ({ sessionID }) => {
      if (!sessionID || children.has(sessionID)) return
      said.delete(sessionID)
      await begin(sessionID)
      asked.set(sessionID, context(await hook("prompt", input(sessionID))))
    },
    "experimental.chat.system.transform": async ({ sessionID }, output) => {
      if (!sessionID || children.has(sessionID) || (await ofOpencode(output.system))) return
      const known = await begin(sessionID)
      if (known) output.system.push(known)
      if (asked.get(sessionID)) output.system.push(asked.get(sessionID))
    },
    "experimental.text.complete": async ({ sessionID }, { text }) => {
      if (begun.has(sessionID) && text.trim()) said.set(sessionID, text.slice(0, LONGEST_MESSAGE))
    },
    "experimental.session.compacting": async ({ sessionID }, output) => {
      const reminder = context(await hook("pre-compact", { ...input(sessionID), trigger: "auto" }))
      if (reminder) output.context.push(reminder)
    },
  }
}
"""


def plugin(command: str) -> str:
    """The file's text.

    Args:
        command: the `bigmind` command, a whole path.
    """
    return PLUGIN.replace("__COMMAND__", json.dumps(command))
