"use strict";

// Live: the page hears what kinds of things changed, asks again for itself, and puts what is new in place. Focus, place
// and what is being worked in stay.

const bigmind = (() => {
  const APART_MILLISECONDS = 1_000;
  const SILENT_MILLISECONDS = 40_000;
  const MOST_PATIENCE_MILLISECONDS = 30_000;
  const ANSWER_MILLISECONDS = 3_000;
  const WATCH_MILLISECONDS = 5_000;
  const MINUTE = 60_000;

  const isTyping = (target) => Boolean(target?.closest?.("input, textarea, select, [contenteditable]"));
  const live = () => document.getElementById("live");

  // Asking: one request at a time, and however much is written, about one in a second.

  let askedAt = -Infinity;
  let timer = 0;
  let isAsking = false;
  let isWanted = false;

  // What is being done right now may end with another page, and this one may be about what it deletes.
  const isActing = () => document.querySelector("dialog[open] :is(.job:not(.done), .htmx-request)") !== null;

  const ask = () => {
    timer = 0;
    if (isActing()) isBehind = true;
    else if (live() && !document.hidden) htmx.trigger(live(), "refresh");
  };

  const refresh = (atOnce = false) => {
    if (isAsking) {
      isWanted = true;
      return;
    }
    const wait = askedAt + APART_MILLISECONDS - performance.now();
    if (atOnce || wait <= 0) {
      clearTimeout(timer);
      ask();
    } else timer ||= setTimeout(ask, wait);
  };

  document.addEventListener("htmx:beforeSend", (event) => {
    if (event.detail.elt !== live()) return;
    isAsking = true;
    askedAt = performance.now();
  });

  document.addEventListener("htmx:afterRequest", (event) => {
    if (event.detail.elt !== live()) return;
    isAsking = false;
    if (!isWanted) return;
    isWanted = false;
    refresh();
  });

  // What the page is about is gone: the page says so.
  document.addEventListener("htmx:responseError", (event) => {
    if (event.detail.elt === live() && event.detail.xhr.status === 404) location.reload();
  });

  // Hearing: the number of the newest change that the page shows is where the stream goes on.

  let source = null;
  let known = Number(document.body.dataset.change);
  let heardAt = Date.now();
  let isLost = false;
  let patience = APART_MILLISECONDS;
  let retry = 0;

  const showConnection = (state, text) => {
    const mark = document.getElementById("connection");
    if (mark.dataset.state === state) return;
    mark.dataset.state = state;
    mark.textContent = text;
  };

  const lose = () => {
    isLost = true;
    showConnection("lost", "Reconnecting");
  };

  const listen = () => {
    clearTimeout(retry);
    source?.close();
    heardAt = Date.now();
    const opened = (source = new EventSource(`/events?after=${known}`));
    opened.addEventListener("open", () => {
      heardAt = Date.now();
      patience = APART_MILLISECONDS;
      showConnection("live", "Live");
      // A server that was started anew may hold another memory, such as a restored one.
      if (isLost) refresh(true);
      isLost = false;
      gone.remove();
    });
    opened.addEventListener("ping", () => { heardAt = Date.now(); });
    opened.addEventListener("changed", hear);
    opened.addEventListener("error", () => {
      lose();
      if (opened.readyState !== EventSource.CLOSED) return;
      // The server answered, and refused: asking for the page tells whether this browser is still signed in.
      refresh();
      retry = setTimeout(listen, patience);
      patience = Math.min(patience * 2, MOST_PATIENCE_MILLISECONDS);
    });
  };

  const hear = (event) => {
    heardAt = Date.now();
    const kinds = JSON.parse(event.data).kinds;
    const wanted = new Set([...(live()?.dataset.kinds ?? "").split(" "), "server"]);
    const isNews = Number(event.lastEventId) > known || kinds.includes("server");
    if (isNews && kinds.some((kind) => wanted.has(kind))) refresh();
  };

  const leave = () => {
    clearTimeout(retry);
    source?.close();
    source = null;
  };

  // A browser opens six connections to one server in all its tabs together: a tab that nobody sees holds none.
  const lookUp = () => {
    if (document.hidden) {
      leave();
      return;
    }
    if (!source) listen();
    refresh();
  };

  // A page that the server cannot give is not gone to: the browser would put its own words in the place of this page.
  const gone = document.createElement("div");
  gone.className = "toast";
  gone.dataset.toast = "";

  const sayGone = () => {
    const words = document.createElement("p");
    words.textContent = "BigMind is not running. This page stays; it goes on once BigMind is started again.";
    gone.replaceChildren(words);
    document.getElementById("toasts").append(gone);
  };

  const answers = async () => {
    try {
      await fetch("/static/tokens.css", { method: "HEAD", cache: "no-store", signal: AbortSignal.timeout(ANSWER_MILLISECONDS) });
      return true;
    } catch {
      return false;
    }
  };

  // Also a link in a drawing, which has no click() of its own.
  const press = (link) => link.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));

  let isSure = false;

  const onceItAnswers = async (event, go) => {
    event.preventDefault();
    if (!(await answers())) {
      sayGone();
      return;
    }
    isSure = true;
    go();
    isSure = false;
  };

  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href]");
    if (!link || !isLost || isSure || event.defaultPrevented) return;
    const href = link.getAttribute("href");
    const isElsewhere = new URL(href, location.href).origin !== location.origin;
    if (href.startsWith("#") || isElsewhere || event.ctrlKey || event.metaKey || event.shiftKey) return;
    onceItAnswers(event, () => press(link));
  });

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!isLost || isSure || event.defaultPrevented || form.getAttribute("method") === "dialog") return;
    onceItAnswers(event, () => form.requestSubmit(event.submitter));
  });

  // Signing out ends the stream on the server; it is left before that.
  document.addEventListener("submit", (event) => {
    if (!event.defaultPrevented && event.target.getAttribute("action") === "/sign-out") leave();
  });
  document.addEventListener("visibilitychange", lookUp);
  window.addEventListener("pagehide", leave);
  window.addEventListener("pageshow", (event) => { if (event.persisted) lookUp(); });
  if (!document.hidden) listen();

  // A machine that slept, or a server that hangs: the stream is open and says nothing, not even that it is there.
  setInterval(() => {
    if (!source || Date.now() - heardAt < SILENT_MILLISECONDS) return;
    lose();
    listen();
  }, SILENT_MILLISECONDS / 8);

  // What lies outside of the memory, such as the files of a workspace, sends no word of its changes.
  setInterval(() => { if (!isLost && document.querySelector("[data-watched]")) refresh(); }, WATCH_MILLISECONDS);

  // "5 min ago" grows old by itself.
  setInterval(() => { if (!isLost) refresh(); }, MINUTE);

  // Putting in place. A part that is the same as before stays: what is selected or pointed at in it does, too. So does
  // one that is being worked in, until that is over.

  let isBehind = false;

  document.addEventListener("htmx:oobBeforeSwap", (event) => {
    const fresh = event.detail.fragment.firstElementChild;
    const part = event.detail.target;
    if (part.id === "toasts") return;
    keepUnfolded(part, fresh);
    keepChosen(part, fresh);
    if (isInUse(part)) {
      isBehind = true;
      event.detail.shouldSwap = false;
    } else if (fresh && bare(fresh).isEqualNode(bare(part))) event.detail.shouldSwap = false;
  });

  // A theme that was chosen holds at once; the server names it from the next page on.
  document.addEventListener("htmx:oobAfterSwap", () => {
    const chosen = document.querySelector("[data-theme-now]")?.dataset.themeNow;
    if (chosen) document.documentElement.dataset.theme = chosen;
    else if (chosen === "") delete document.documentElement.dataset.theme;
  });

  // What somebody unfolded to read stays unfolded.
  const keepUnfolded = (part, fresh) => {
    for (const each of part.querySelectorAll("details[id][open]:not([data-editing])")) {
      fresh?.querySelector(`#${CSS.escape(each.id)}`)?.setAttribute("open", "");
    }
  };

  // What somebody chose from a list stays chosen.
  const keepChosen = (part, fresh) => {
    for (const each of part.querySelectorAll(".choose :checked")) {
      each.setAttribute("checked", "");
      fresh?.querySelector(`#${CSS.escape(each.id)}`)?.setAttribute("checked", "");
    }
  };

  const isInUse = (part) => {
    const at = document.activeElement;
    if (part.querySelector("dialog[open], [data-editing][open], .job, form.htmx-request")) return true;
    if (part.contains(at) && isTyping(at) && at.closest(".action")) return true;
    const selection = getSelection();
    return !selection.isCollapsed && part.contains(selection.anchorNode) && !isTyping(at);
  };

  const bare = (element) => {
    const copy = element.cloneNode(true);
    for (const each of [copy, ...copy.querySelectorAll("[class*='htmx-']")]) {
      each.classList.remove("htmx-request", "htmx-swapping", "htmx-settling", "htmx-added");
      if (!each.classList.length) each.removeAttribute("class");
    }
    for (const each of copy.querySelectorAll("[data-resting]")) {
      each.removeAttribute("aria-disabled");
      each.removeAttribute("data-resting");
    }
    return copy;
  };

  const catchUp = () => {
    if (!isBehind) return;
    isBehind = false;
    refresh();
  };

  document.addEventListener("focusout", () => setTimeout(catchUp));
  document.addEventListener("close", catchUp, true);
  document.addEventListener("selectionchange", () => { if (getSelection().isCollapsed) catchUp(); });
  document.addEventListener("acted", () => {
    isBehind = false;
    refresh(true);
  });

  // Where the focus stands: by the element, and by the places around it, for when it is gone.
  const standing = (element) => {
    const places = [];
    const isRow = element.matches("[data-row]");
    for (let around = element; around && around !== document.body; around = around.parentElement) {
      if (!around.id) continue;
      const rows = [...around.querySelectorAll("[data-row]")];
      const before = rows.filter((row) => row.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING);
      places.push({ id: around.id, row: isRow ? before.length : Math.max(0, before.length - 1) });
    }
    return places;
  };

  // A dialog that just closed still has the focus in it, and the browser takes it from there a moment later.
  const isFocusLost = () => {
    const at = document.activeElement;
    return !at || at === document.body || at.closest("dialog:not([open])") !== null;
  };

  // Back to where it stood; where that is gone, to the row that took its place, or to what was around it.
  const stand = (places) => {
    for (const { id, row } of [...(places ?? []), { id: "content", row: 0 }]) {
      if (!places || !isFocusLost()) return;
      const around = document.getElementById(id);
      (around?.matches("details") ? around.querySelector("summary") : around)?.focus({ preventScroll: true });
      if (!around || !isFocusLost()) continue;
      const rows = [...around.querySelectorAll("[data-row]")];
      const heir = rows[Math.min(row, rows.length - 1)] ?? around;
      if (heir === around) heir.tabIndex = -1;
      heir.focus({ preventScroll: true });
    }
  };

  // The row at the top of the window stays where it is, also when rows come in above it.
  let anchor = null;
  let stood = null;

  document.addEventListener("htmx:beforeSwap", (event) => {
    if (event.detail.target.id !== "live") return;
    stood = isFocusLost() ? null : standing(document.activeElement);
    const row = [...document.querySelectorAll("[data-row]")].find((each) => each.getBoundingClientRect().top >= 0);
    anchor = row && window.scrollY > 0 ? { id: row.id, top: row.getBoundingClientRect().top } : null;
  });

  document.addEventListener("htmx:afterOnLoad", (event) => {
    if (event.detail.target.id !== "live") return;
    known = Number(event.detail.xhr.getResponseHeader("BigMind-Change") ?? known);
    stand(stood);
    const row = anchor && document.getElementById(anchor.id);
    if (row) window.scrollBy({ top: row.getBoundingClientRect().top - anchor.top, behavior: "instant" });
    anchor = stood = null;
  });

  return { isTyping, press, standing, stand };
})();
