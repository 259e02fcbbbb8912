"use strict";

// The box of a file, or of a list, chooses all that stands there; it follows when they are chosen one by one, come or go.
(() => {
  const boxes = (group) => [...group.querySelectorAll("[type=checkbox]:not([data-whole])")];

  const follow = (group) => {
    const whole = group.querySelector("[data-whole]");
    if (!whole) return;
    const chosen = boxes(group).filter((box) => box.checked).length;
    whole.checked = chosen > 0 && chosen === boxes(group).length;
    whole.indeterminate = chosen > 0 && !whole.checked;
  };

  document.addEventListener("change", (event) => {
    const group = event.target.closest("[data-group]");
    if (!group) return;
    if (event.target.matches("[data-whole]")) {
      for (const box of boxes(group)) box.checked = event.target.checked;
    }
    follow(group);
  });

  const followAll = () => document.querySelectorAll("[data-group]").forEach(follow);

  document.addEventListener("htmx:afterSwap", followAll);
  document.addEventListener("htmx:oobAfterSwap", followAll);
})();
