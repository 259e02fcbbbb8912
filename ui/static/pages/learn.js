"use strict";

// The box of a file chooses all that stands there; it follows when they are chosen one by one.
(() => {
  const boxes = (group) => [...group.querySelectorAll("[name=digests]")];

  document.addEventListener("change", (event) => {
    const group = event.target.closest("[data-group]");
    if (!group) return;
    const whole = group.querySelector("[data-whole]");
    if (event.target === whole) {
      for (const box of boxes(group)) box.checked = whole.checked;
      return;
    }
    const chosen = boxes(group).filter((box) => box.checked).length;
    whole.checked = chosen === boxes(group).length;
    whole.indeterminate = chosen > 0 && !whole.checked;
  });
})();
