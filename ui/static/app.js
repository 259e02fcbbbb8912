"use strict";

(() => {
  const CHORD_MILLISECONDS = 1000;
  const MINUTE = 60_000;

  // Live: the page asks again for what changed; htmx puts the parts in place, keeping focus and scroll.

  let source = null;
  let wasLost = false;

  const refresh = () => {
    const live = document.getElementById("live");
    if (live && !document.hidden) htmx.trigger(live, "refresh");
  };

  const showConnection = (state, text) => {
    const mark = document.getElementById("connection");
    mark.dataset.state = state;
    mark.textContent = text;
  };

  // Known from its beginning, so that it can be left before it ever opened.
  htmx.createEventSource = (address) => (source = new EventSource(address, { withCredentials: true }));

  document.addEventListener("htmx:sseOpen", () => {
    showConnection("live", "Live");
    // A stream that was opened anew by the extension does not say where the old one stopped.
    if (wasLost) refresh();
    wasLost = false;
  });

  document.addEventListener("htmx:sseError", (event) => {
    wasLost = true;
    showConnection("lost", "Reconnecting");
    // The server answered, and refused: asking for the page tells whether this browser is still signed in.
    if (event.detail.source.readyState === EventSource.CLOSED) refresh();
  });

  // Signing out ends the stream on the server; it is left before that.
  document.addEventListener("submit", (event) => {
    if (event.target.method === "post") source?.close();
  });

  document.addEventListener("htmx:sseMessage", (event) => {
    const live = document.getElementById("live");
    const wanted = new Set((live?.dataset.kinds ?? "").split(" "));
    if (JSON.parse(event.detail.data).kinds.some((kind) => wanted.has(kind))) refresh();
  });

  // A part that is the same as before stays: what is selected or pointed at in it does, too.
  document.addEventListener("htmx:oobBeforeSwap", (event) => {
    const fresh = event.detail.fragment.firstElementChild;
    if (fresh && bare(fresh).isEqualNode(bare(event.detail.target))) event.detail.shouldSwap = false;
  });

  // The row at the top of the window stays where it is, also when rows come in above it.
  let anchor = null;

  document.addEventListener("htmx:beforeSwap", (event) => {
    if (event.detail.target.id !== "live") return;
    const row = [...document.querySelectorAll("[data-row]")].find((each) => each.getBoundingClientRect().top >= 0);
    anchor = row && window.scrollY > 0 ? { id: row.id, top: row.getBoundingClientRect().top } : null;
  });

  document.addEventListener("htmx:afterOnLoad", (event) => {
    const row = event.detail.target.id === "live" && anchor && document.getElementById(anchor.id);
    if (row) window.scrollBy({ top: row.getBoundingClientRect().top - anchor.top, behavior: "instant" });
    anchor = null;
  });

  const bare = (element) => {
    const copy = element.cloneNode(true);
    for (const each of [copy, ...copy.querySelectorAll("[class*='htmx-']")]) {
      each.classList.remove("htmx-request", "htmx-swapping", "htmx-settling", "htmx-added");
      if (!each.classList.length) each.removeAttribute("class");
    }
    return copy;
  };

  // A request that a newer one replaced is no error, and nothing to write into the browser's console.
  let isReplacing = false;

  document.addEventListener(
    "htmx:abort",
    () => {
      isReplacing = true;
      queueMicrotask(() => { isReplacing = false; });
    },
    true,
  );

  htmx.logger = (element, name, detail) => {
    if (isReplacing) delete detail.error;
  };

  // What is wrong with a question is said where its answer would stand.
  document.addEventListener("htmx:beforeSwap", (event) => {
    if (event.detail.target.id === "found" && event.detail.xhr.status === 422) event.detail.shouldSwap = true;
  });

  document.addEventListener("htmx:responseError", (event) => {
    if (event.detail.xhr.status === 401) location.assign("/sign-in");
    else if (event.detail.target?.id === "found" && event.detail.xhr.status >= 500) {
      document.getElementById("found-count").textContent = "This search failed; the log says why. Enter tries again.";
    }
  });

  // A browser opens six connections to one server in all its tabs together: a tab that nobody sees holds none.
  document.addEventListener("visibilitychange", () => {
    const ear = document.getElementById("ear");
    if (document.hidden) {
      source?.close();
      return;
    }
    if (source && source.readyState === EventSource.CLOSED) {
      const fresh = ear.cloneNode(true);
      ear.replaceWith(fresh);
      htmx.process(fresh);
    }
    refresh();
  });

  // "5 min ago" grows old by itself.
  setInterval(refresh, MINUTE);

  // Keyboard.

  let chordEnds = 0;

  const isTyping = (target) => target.closest?.("input, textarea, select, [contenteditable]") !== null;

  const move = (step) => {
    const rows = [...document.querySelectorAll("[data-row]")];
    if (!rows.length) return;
    const at = rows.indexOf(document.activeElement.closest("[data-row]"));
    if (at === rows.length - 1 && step > 0) {
      document.getElementById("load-more")?.click();
      return;
    }
    rows[at < 0 ? 0 : Math.max(0, at + step)].focus();
  };

  const go = (key) => document.querySelector(`[data-key="${CSS.escape(key)}"]`)?.click();

  // From the field to what it found and back; elsewhere arrows scroll, as everywhere.
  const moveWithArrows = (event) => {
    const down = event.key === "ArrowDown";
    if (!down && event.key !== "ArrowUp") return;
    const field = document.getElementById("q");
    const rows = [...document.querySelectorAll("#found [data-row]")];
    const at = rows.indexOf(document.activeElement);
    if (!rows.length || (document.activeElement !== field && at < 0)) return;
    event.preventDefault();
    if (!down && at === 0) field.focus();
    else if (down || at > 0) move(down ? 1 : -1);
  };

  const search = (event) => {
    event.preventDefault();
    const field = document.getElementById("q");
    if (field) field.select();
    else go("/");
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (document.querySelector("dialog[open]")) return;
    if (document.getElementById("found")) moveWithArrows(event);
    if (isTyping(event.target)) return;
    const inChord = event.timeStamp < chordEnds;
    chordEnds = 0;
    if (inChord) go(event.key);
    else if (event.key === "g") chordEnds = event.timeStamp + CHORD_MILLISECONDS;
    else if (event.key === "j") move(1);
    else if (event.key === "k") move(-1);
    else if (event.key === "/") search(event);
    else if (event.key === "?") document.getElementById("shortcuts").showModal();
  });

  // The keyboard goes on where the loaded rows begin: the link that loaded them is gone.
  document.addEventListener("htmx:beforeSwap", (event) => {
    if (!["more", "found"].includes(event.detail.target.id) || document.activeElement?.id !== "load-more") return;
    const known = document.querySelectorAll("[data-row]").length;
    document.addEventListener(
      "htmx:afterSettle",
      () => document.querySelectorAll("[data-row]")[known]?.focus({ preventScroll: true }),
      { once: true },
    );
  });

  // Buttons.

  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-opens], [data-copies]");
    if (!button) return;
    if (button.dataset.opens) {
      document.getElementById(button.dataset.opens).showModal();
      return;
    }
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copies).textContent);
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 2000);
  });
})();
