"use strict";

// What a person does: forms that act, what is said of them, dialogs and buttons.

(() => {
  const { standing, stand, holdsWords } = bigmind;
  const TOLD_MILLISECONDS = 12_000;
  const MOST_TOLD = 3;
  const COPIED_MILLISECONDS = 2_000;
  const ASKS_APART_MILLISECONDS = 1_000;

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

  // What is wrong with a question is said where its answer would stand, and of an action at its own form.
  document.addEventListener("htmx:beforeSwap", (event) => {
    const { target, xhr } = event.detail;
    if (["found", "list"].includes(target.id) && xhr.status === 422) event.detail.shouldSwap = true;
    if (target.matches(".slot, .job") && xhr.status >= 400 && xhr.status !== 401) {
      event.detail.shouldSwap = isFragment(xhr);
      if (event.detail.shouldSwap) return;
      if (target.matches(".job")) askLater(target);
      else sayInside(target, "This could not be done. BigMind's log says why, or the terminal that it was started in.");
    }
  });

  // Of a request that found nobody no byte went out; what became of one that went out nobody here knows.
  const gone = new WeakSet();

  document.addEventListener("htmx:beforeSend", (event) => gone.delete(event.detail.elt));
  document.addEventListener("htmx:xhr:progress", (event) => { if (event.detail.loaded) gone.add(event.target); });

  document.addEventListener("htmx:sendError", (event) => {
    const { elt, target } = event.detail;
    if (target?.matches(".job")) askLater(target);
    else if (target?.matches(".slot")) {
      sayInside(target, gone.has(elt)
        ? "BigMind stopped answering. Whether this was done is not known: look at this page again when BigMind runs."
        : "BigMind does not answer. Nothing was done; try again when it runs.");
    }
  });

  // What is under way does not end because this page cannot ask for it.
  const askLater = (job) => {
    const progress = job.querySelector(".job-progress");
    if (!progress) return;
    if (!progress.querySelector(".fault")) {
      progress.append(faultOf("BigMind does not answer. What is under way may go on, or be finished. This page keeps asking."));
    }
    clearTimeout(Number(progress.dataset.timer));
    progress.dataset.timer = setTimeout(() => htmx.trigger(progress, "again"), ASKS_APART_MILLISECONDS);
  };

  document.addEventListener("htmx:responseError", (event) => {
    if (event.detail.target?.id === "found" && event.detail.xhr.status >= 500) {
      document.getElementById("found-count").textContent = "This search failed. BigMind's log says why, or the terminal that it was started in. Enter tries again.";
    }
  });

  const isFragment = (xhr) => (xhr.getResponseHeader("Content-Type") ?? "").startsWith("text/html");

  const faultOf = (words) => {
    const fault = document.createElement("p");
    fault.className = "fault";
    fault.setAttribute("role", "alert");
    fault.textContent = words;
    return fault;
  };

  const sayInside = (slot, words) => slot.replaceChildren(faultOf(words));

  // Something was done: what it was asked in is closed, and the page shows what came of it (live.js).
  document.addEventListener("acted", (event) => {
    const { target } = event;
    // A dialog first, then the row that it was opened from.
    for (const around of [target.closest("dialog"), target.closest("[data-editing], [data-toast]")]) close(around);
  });

  // What is shown once stands where it is seen, with its first button at hand.
  document.addEventListener("htmx:afterSwap", (event) => {
    const once = event.detail.target.querySelector?.(":scope > .once");
    if (!once) return;
    once.scrollIntoView({ block: "nearest" });
    once.querySelector("[data-copies]")?.focus({ preventScroll: true });
  });

  // A button that is switched off while it is at work loses the focus. It gets it back, or what closes with it does.
  let began = null;

  document.addEventListener("htmx:beforeRequest", (event) => {
    const { elt } = event.detail;
    const at = document.activeElement;
    if (elt.matches("form") && elt.contains(at)) began = { form: elt, at, places: standing(at) };
  });

  document.addEventListener("htmx:afterRequest", (event) => {
    if (event.detail.elt !== began?.form) return;
    const { at, places } = began;
    began = null;
    // A dialog that closed gives it to what it was opened from.
    if (document.activeElement !== document.body || at.closest("dialog:not([open])")) return;
    at.focus({ preventScroll: true });
    stand(places);
  });

  // A passphrase is for one request: whatever came of it, the field is empty again.
  document.addEventListener("htmx:afterRequest", (event) => {
    event.detail.elt.querySelectorAll?.("input[type=password]").forEach((field) => { field.value = ""; });
  });

  const holdsFocus = (around) =>
    around.contains(document.activeElement === document.body ? (began?.at ?? null) : document.activeElement);

  // Where the focus was before it went to what goes away by itself.
  let lastPlaces = [];

  document.addEventListener("focusin", (event) => {
    if (!event.target.closest("dialog, [data-toast]")) lastPlaces = standing(event.target);
  });

  // To what a dialog was opened from. At once where it is closed by what was done: on a busy machine the page is brought up
  // to date, and the dialog replaced, before its event comes.
  const giveBack = () => {
    if (openedFrom) stand(openedFrom);
    openedFrom = null;
  };

  const close = (around) => {
    if (!around) return;
    const held = holdsFocus(around);
    if (around.matches("dialog")) {
      around.close();
      giveBack();
    } else if (around.matches("details")) {
      leave(around);
      around.open = false;
      if (held) around.querySelector("summary").focus();
    } else {
      around.remove();
      if (held) stand(lastPlaces);
    }
  };

  // Of what was typed and not sent, or sent, nothing stands there when it is opened again.
  const leave = (editing) => {
    editing.querySelectorAll("form").forEach((form) => form.reset());
    editing.querySelectorAll(".slot").forEach((slot) => slot.replaceChildren());
  };

  // What is opened to be edited is typed into at once; a row of a list is read first.
  document.addEventListener(
    "toggle",
    (event) => {
      if (!event.target.matches?.("details.edit[open]")) return;
      // The event comes a moment later: who went on to a field meanwhile stays there.
      const isAhead = event.target.querySelector(":is(input, textarea, select, button):focus");
      if (!isAhead) event.target.querySelector("input:not([type=hidden]), textarea")?.focus();
    },
    true,
  );

  document.addEventListener(
    "close",
    (event) => {
      event.target.querySelectorAll(".slot").forEach((slot) => slot.replaceChildren());
      giveBack();
    },
    true,
  );

  // What was told goes by itself, unless somebody is reading it.
  const fade = (toast) =>
    setTimeout(() => (toast.matches(":hover, :focus-within") ? fade(toast) : toast.remove()), TOLD_MILLISECONDS);

  // What shows by itself is not told too: a form of the class silent. Else the newest few, and nothing twice.
  let isSilent = false;

  document.addEventListener("htmx:beforeSwap", (event) => {
    isSilent = event.detail.requestConfig?.elt.matches(".silent") ?? false;
  });

  const wordsOf = (toast) => toast.querySelector("p").textContent;

  document.addEventListener("htmx:oobAfterSwap", (event) => {
    if (event.detail.target.id !== "toasts") return;
    const [newest, ...older] = [...document.querySelectorAll("#toasts [data-toast]")].reverse();
    if (!newest) return;
    const told = isSilent ? older : [newest, ...older.filter((each) => wordsOf(each) !== wordsOf(newest))];
    for (const each of [newest, ...older]) if (!told.slice(0, MOST_TOLD).includes(each)) each.remove();
    if (!isSilent) fade(newest);
  });
  document.querySelectorAll("#toasts [data-toast]").forEach(fade);

  // Buttons. A dialog that stands for many rows is told which one by the button: data-with-<name> fills its fields of
  // that name, and shows it in [data-shows=<name>].
  let openedFrom = null;

  const open = (button) => {
    const dialog = document.getElementById(button.dataset.opens);
    for (const { name, value } of button.attributes) {
      if (!name.startsWith("data-with-")) continue;
      const field = name.slice("data-with-".length);
      dialog.querySelectorAll(`[name="${field}"]`).forEach((each) => { each.value = value; });
      dialog.querySelectorAll(`[data-shows="${field}"]`).forEach((each) => { each.textContent = value; });
    }
    openedFrom = standing(button);
    dialog.showModal();
    rest(dialog);
  };

  // What a copying button says for a moment, to those who see it and to those who hear it. Pressed again meanwhile, it still
  // goes back to its own words.
  const saying = new WeakMap();

  const sayAt = (button, words) => {
    const { before = [...button.childNodes], heard = document.createElement("span"), timer } = saying.get(button) ?? {};
    clearTimeout(timer);
    heard.className = "visually-hidden";
    heard.setAttribute("role", "status");
    button.after(heard);
    button.textContent = words;
    requestAnimationFrame(() => { heard.textContent = words; });
    const back = () => {
      button.replaceChildren(...before);
      heard.remove();
      saying.delete(button);
    };
    saying.set(button, { before, heard, timer: setTimeout(back, COPIED_MILLISECONDS) });
  };

  // Browsers keep the clipboard from pages of another machine that come without TLS; the older way works there.
  const copyByCommand = (text) => {
    const give = (event) => {
      event.preventDefault();
      event.clipboardData.setData("text/plain", text);
    };
    document.addEventListener("copy", give, { once: true });
    const isCopied = document.execCommand("copy");
    document.removeEventListener("copy", give);
    return isCopied;
  };

  const copy = async (button) => {
    const copied = document.getElementById(button.dataset.copies);
    try {
      await navigator.clipboard.writeText(copied.textContent);
    } catch {
      if (!copyByCommand(copied.textContent)) {
        getSelection().selectAllChildren(copied);
        sayAt(button, "Not copied: press Ctrl+C");
        return;
      }
    }
    sayAt(button, "Copied");
  };

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-opens], [data-copies], [data-closes]");
    if (!button) return;
    if (button.dataset.opens) open(button);
    else if (button.dataset.copies) copy(button);
    else close(button.closest("dialog, details, [data-toast]"));
  });

  // What a long piece of work has said is put away, also for when the page is opened again; the focus goes to what stands
  // around it.
  const dismiss = (button) => {
    const slot = button.closest(".slot");
    if (button.dataset.seen) htmx.ajax("POST", button.dataset.seen, { swap: "none", values: { seen: "true" } });
    slot.replaceChildren();
    (slot.closest(".card") ?? document.querySelector("main")).querySelector("button")?.focus();
  };

  document.addEventListener("click", (event) => {
    const dismisses = event.target.closest("[data-dismisses]");
    if (dismisses) dismiss(dismisses);
    // The form is sent all the same: what it does is told on the page, not in the dialog.
    const done = event.target.closest("[data-done]");
    if (!done) return;
    openedFrom = null;
    done.closest("dialog").close();
    document.activeElement.blur();  // what it was asked from may be gone: the answer takes the focus
  });

  // A dialog that is filled by a request is shown once it says what would be done.
  document.addEventListener("htmx:afterSwap", (event) => {
    const { target } = event.detail;
    if (!target.matches?.("dialog[data-filled]") || target.open) return;
    openedFrom = standing(document.activeElement);
    target.showModal();
  });

  // Whoever works with the keyboard goes on where the answer is.
  document.addEventListener("htmx:afterSettle", (event) => {
    if (document.activeElement !== document.body) return;
    event.target.closest?.(".told")?.querySelector("[tabindex='-1']")?.focus();
  });

  // What is done in person takes nothing in the first second that it is there: a click that was meant for something else
  // says no yes.
  const REST_MILLISECONDS = 1_000;

  const rest = (around) => {
    for (const form of [around, ...around.querySelectorAll("form")]) {
      if (!form.matches?.("form:has([data-in-person])")) continue;
      const buttons = [...form.querySelectorAll("button:not([type]):not([data-resting])")];
      buttons.forEach((each) => { each.setAttribute("aria-disabled", "true"); each.dataset.resting = ""; });
      setTimeout(() => buttons.forEach((each) => { each.removeAttribute("aria-disabled"); delete each.dataset.resting; }), REST_MILLISECONDS);
    }
  };

  const refuse = (event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
  };

  document.addEventListener("click", (event) => { if (event.target.closest?.("[data-resting]")) refuse(event); }, true);
  document.addEventListener("submit", (event) => { if (event.target.querySelector("[data-resting]")) refuse(event); }, true);
  rest(document.body);
  document.addEventListener("htmx:load", (event) => rest(event.detail.elt));
  document.addEventListener("toggle", (event) => { if (event.target.open) rest(event.target); }, true);

  // The pages' menu, where the window is too narrow for them all.
  const menu = document.getElementById("menu");

  const unfold = (isOpen) => {
    menu.setAttribute("aria-expanded", String(isOpen));
    document.querySelector(".side").toggleAttribute("data-unfolded", isOpen);
  };

  menu.addEventListener("click", () => unfold(menu.getAttribute("aria-expanded") !== "true"));

  // Where Enter begins a line, it sends together with Control; in the fields beside it, too.
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing || !(event.ctrlKey || event.metaKey)) return;
    if (!event.target.matches("textarea, input, select")) return;
    const form = event.target.closest("form.action");
    if (!form) return;
    event.preventDefault();
    form.requestSubmit(form.querySelector("button:not([type])"));
  });

  // Escape ends what was begun and not sent: an edit, the menu. Dialogs do so by themselves. Words that were typed
  // (unsaved.js) go with the second one, and one that ends the putting together of a letter is none.
  const warned = new WeakMap();

  const warn = (edit) => {
    const toast = document.createElement("div");
    toast.className = "toast";
    toast.dataset.toast = "";
    const words = document.createElement("p");
    words.textContent = "You have unsaved changes. Press Esc again to discard them.";
    toast.append(words);
    document.getElementById("toasts").append(toast);
    warned.set(edit, toast);
    fade(toast);
  };

  const isWarned = (edit) => warned.get(edit)?.isConnected ?? false;

  document.addEventListener("input", (event) => warned.get(event.target.closest("details[data-editing]"))?.remove());

  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.isComposing || document.querySelector("dialog[open]")) return;
    const edit = document.activeElement.closest("details[data-editing][open]");
    if (edit && holdsWords(edit) && !isWarned(edit)) warn(edit);
    else if (edit) {
      warned.get(edit)?.remove();
      close(edit);
    } else if (menu.getAttribute("aria-expanded") === "true") {
      unfold(false);
      menu.focus();
    }
  });
})();
