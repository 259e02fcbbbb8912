"use strict";

// The keyboard: everything that a mouse can do, and quicker.

(() => {
  const { isTyping, press: pressLink } = bigmind;
  const CHORD_MILLISECONDS = 1_000;
  const PAUSE_MILLISECONDS = 300;
  const MOST_AHEAD = 1_000;
  const LEAST_WIDTH = 320;
  const TYPING = "bigmind-typing";
  let chordEnds = 0;

  // Some people speak to their machine, or press a key by accident: keys that stand alone can be switched off (WCAG 2.1.4).
  const areOff = () => document.getElementById("nav").dataset.keys === "off";

  // What does nothing is not announced either, in what comes later too.
  const hush = () => {
    if (areOff()) document.querySelectorAll("[aria-keyshortcuts]").forEach((each) => each.removeAttribute("aria-keyshortcuts"));
  };

  hush();
  document.addEventListener("htmx:load", hush);

  const rows = () => [...document.querySelectorAll("[data-row]")];

  const move = (step) => {
    const all = rows();
    if (!all.length) return;
    const here = document.activeElement;
    const at = all.indexOf(here.closest("[data-row]") ?? here.closest("[data-item]")?.querySelector("[data-row]"));
    // Each of several lists on a page goes on by a link of its own, which stands behind its last row.
    const more = all[at]?.closest("[data-item]")?.nextElementSibling?.querySelector("[data-loads]");
    if (more && step > 0) {
      more.focus();
      more.click();
      return;
    }
    if (at === all.length - 1 && step > 0) {
      document.getElementById("load-more")?.click();
      return;
    }
    all[at < 0 ? 0 : Math.max(0, at + step)].focus();
  };

  // Who comes back from what a row opened goes on at that row.
  document.addEventListener("click", (event) => {
    const row = event.target.closest?.("a[data-row]");
    if (row?.id) history.replaceState({ ...history.state, row: row.id }, "");
  });

  const [arrival] = performance.getEntriesByType("navigation");
  const followed = arrival?.type === "back_forward" && document.getElementById(history.state?.row ?? "");
  if (followed) followed.focus({ preventScroll: true });

  const go = (key) => document.querySelector(`[data-key="${CSS.escape(key)}"]`)?.click();

  // From the field to what it found and back; elsewhere arrows scroll, as everywhere.
  const moveWithArrows = (event) => {
    const down = event.key === "ArrowDown";
    if (!down && event.key !== "ArrowUp") return;
    const field = document.getElementById("q");
    const found = [...document.querySelectorAll("#found [data-row]")];
    const at = found.indexOf(document.activeElement);
    if (!found.length || (document.activeElement !== field && at < 0)) return;
    event.preventDefault();
    if (!down && at === 0) field.focus();
    else if (down || at > 0) move(down ? 1 : -1);
  };

  // A letter presses the button or link that names it: of the row that has the focus, else of the page itself. Of several
  // messages that can be undone, the newest is last.
  const press = (event) => {
    const letter = `[data-letter="${CSS.escape(event.key)}"]`;
    const ofRow = document.activeElement.closest("[data-item]")?.querySelector(letter);
    const button = ofRow ?? [...document.querySelectorAll(letter)].findLast((each) => !each.closest("[data-item]"));
    if (!button) return;
    event.preventDefault();
    button.click();
    // The browser says a moment later that it is open: what is typed meanwhile belongs into the field, and is no key.
    if (button.matches("details.edit[open] > summary")) button.parentElement.querySelector("input:not([type=hidden]), textarea")?.focus();
  };

  // Which letters a page knows is written at its buttons and links; the list of keys is filled from there.
  const list = document.querySelector("#shortcuts .keys tbody");

  const means = (element) => {
    if (element.dataset.means) return element.dataset.means;
    const copy = element.cloneNode(true);
    copy.querySelectorAll("kbd, .visually-hidden").forEach((each) => each.remove());
    return copy.textContent.trim();
  };

  const listLetters = () => {
    list.querySelectorAll("[data-collected]").forEach((each) => each.remove());
    for (const row of list.rows) row.hidden = areOff() && !row.matches("[data-always]");
    if (areOff()) return;
    const told = [...list.rows].map((row) => [...row.querySelectorAll("kbd")].map((each) => each.textContent));
    const known = new Set(told.filter(([first]) => first !== "g").flat());
    for (const each of document.querySelectorAll("[data-letter]")) {
      const { letter } = each.dataset;
      if (known.has(letter) || !means(each)) continue;
      known.add(letter);
      const row = list.insertRow(list.rows.length - 3);
      row.dataset.collected = "";
      const words = document.createElement("th");
      words.scope = "row";
      words.textContent = each.closest("[data-item]") ? `${means(each)}, in the row that has the focus` : means(each);
      const key = document.createElement("kbd");
      key.textContent = letter;
      row.append(words);
      row.insertCell().append(key);
    }
  };

  // A browser gives the keys that are pressed while one page takes another's place to neither. So what is typed behind
  // the slash stands in a field of this page, which goes to the search once nothing was typed for a moment.
  const leaveFor = (words) => {
    sessionStorage.setItem(TYPING, "yes");
    if (words) location.assign(`/search?${new URLSearchParams({ q: words })}`);
    else go("/");
  };

  const typeAhead = () => {
    const form = document.createElement("form");
    form.className = "ask ahead";
    form.setAttribute("role", "search");
    const field = document.createElement("input");
    field.type = "search";
    field.maxLength = MOST_AHEAD;
    field.spellcheck = false;
    field.placeholder = "What are you looking for?";
    field.setAttribute("aria-label", "Search everything remembered");
    form.append(field);
    let pause = 0;
    let patience = PAUSE_MILLISECONDS;
    const leave = () => {
      patience = 0; // what is typed while the other page comes asks for another one at once
      leaveFor(field.value.trim());
    };
    const wait = () => {
      clearTimeout(pause);
      pause = setTimeout(leave, patience);
    };
    const close = () => {
      clearTimeout(pause);
      form.remove();
    };
    // Of letters that are put together from several keys the half is no question.
    field.addEventListener("input", (event) => (event.isComposing ? clearTimeout(pause) : wait()));
    field.addEventListener("compositionend", wait);
    field.addEventListener("blur", () => document.hasFocus() && close());
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      clearTimeout(pause);
      leave();
    });
    addEventListener("pageshow", (event) => event.persisted && close(), { once: true });
    document.body.append(form);
    // Where the page shows a way to the search, the field stands there.
    const way = document.querySelector(".to-search")?.getBoundingClientRect();
    if (way?.width && way.top >= 0) {
      const width = Math.max(way.width, LEAST_WIDTH);
      const left = Math.max(0, way.right - width);
      Object.assign(form.style, { top: `${way.top}px`, left: `${left}px`, width: `${width}px`, margin: "0" });
    }
    field.focus();
    wait();
  };

  const search = (event) => {
    event.preventDefault();
    const field = document.getElementById("q");
    if (field) field.select();
    else typeAhead();
  };

  // Who was typing goes on behind what was typed.
  const asked = document.getElementById("q");
  if (asked && sessionStorage.getItem(TYPING)) {
    asked.focus();
    asked.setSelectionRange(asked.value.length, asked.value.length);
  }
  sessionStorage.removeItem(TYPING);

  // The year is one stop: arrows go from day to day of those with sessions, Enter opens the day.
  let chosen = "";

  const moveInYear = (event) => {
    const days = [...event.target.querySelectorAll("svg a")];
    const at = days.findIndex((each) => each.getAttribute("href") === chosen);
    const last = days.length - 1;
    const goals = { ArrowLeft: at < 0 ? last : at - 1, ArrowRight: at < 0 ? last : at + 1, Home: 0, End: last };
    if (event.key === "Enter" && at >= 0) pressLink(days[at]);
    const goal = days[Math.min(Math.max(goals[event.key] ?? -1, event.key in goals ? 0 : -1), last)];
    if (!goal) return;
    event.preventDefault();
    days.forEach((each) => each.toggleAttribute("data-chosen", each === goal));
    chosen = goal.getAttribute("href");
    goal.scrollIntoView({ block: "nearest", inline: "nearest" });
    document.getElementById("heat-day").textContent = `${goal.querySelector("title").textContent}. Enter opens it.`;
  };

  document.addEventListener("focusin", (event) => {
    if (event.target.id !== "heat" || !event.target.matches(":focus-visible")) return;
    chosen = "";
    document.getElementById("heat-day").textContent = "← and → go from day to day, Enter opens one.";
  });

  document.querySelector("[data-opens=shortcuts]").addEventListener("click", listLetters);

  // Escape empties a field that filters; where there is nothing to empty, it leaves the field.
  const leaveField = (event) => {
    const field = event.target;
    if (event.key !== "Escape" || event.isComposing || !field.matches?.("input[type=search]") || field.value) return;
    event.preventDefault();
    document.getElementById("content").focus({ preventScroll: true });
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (document.querySelector("dialog[open]")) return;
    if (document.getElementById("found")) moveWithArrows(event);
    leaveField(event);
    if (event.target.id === "heat") moveInYear(event);
    if (isTyping(event.target) || areOff()) return;
    const inChord = event.timeStamp < chordEnds;
    chordEnds = 0;
    if (inChord) go(event.key);
    else if (event.key === "g") chordEnds = event.timeStamp + CHORD_MILLISECONDS;
    else if (event.key === "j") move(1);
    else if (event.key === "k") move(-1);
    else if (event.key === "/") search(event);
    else if (event.key === "?") document.querySelector("[data-opens=shortcuts]").click();
    else press(event);
  });

  // The keyboard goes on where the loaded rows begin: the link that loaded them is gone. At once, not when the page has
  // settled: by then the person may have gone on by themselves.
  document.addEventListener("htmx:beforeSwap", (event) => {
    const { target } = event.detail;
    const isMore = ["more", "found"].includes(target.id) && document.activeElement?.id === "load-more";
    if (!isMore && !(target.matches("[data-more]") && target.contains(document.activeElement))) return;
    // Of several lists on a page, what is loaded stands in the middle of all rows.
    const known = new Set(rows().map((each) => each.id));
    const goOn = () => rows().find((each) => !known.has(each.id))?.focus({ preventScroll: true });
    document.addEventListener("htmx:afterSwap", goOn, { once: true });
  });
})();
