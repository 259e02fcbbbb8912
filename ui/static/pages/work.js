"use strict";

// The board: a card is dragged to a state. What the move needs is asked in the same dialog that its button opens.

(() => {
  const BOARD = ".columns";
  let dragged = null;

  const arm = () => {
    for (const card of document.querySelectorAll(`${BOARD} .item:not([draggable])`)) card.draggable = true;
  };

  const column = (event) => event.target.closest?.(`${BOARD} .column`);

  const leave = () => {
    document.querySelectorAll(`${BOARD} [data-over]`).forEach((each) => each.removeAttribute("data-over"));
  };

  document.addEventListener("dragstart", (event) => {
    const card = event.target.closest?.(`${BOARD} .item`);
    if (!card) return;
    dragged = card;
    event.dataTransfer.effectAllowed = "move";
    event.dataTransfer.setData("text/plain", card.querySelector(".item-title").textContent);
    card.toggleAttribute("data-dragged", true);
  });

  document.addEventListener("dragover", (event) => {
    const goal = column(event);
    if (!dragged || !goal) return;
    event.preventDefault();
    if (goal.hasAttribute("data-over")) return;
    leave();
    goal.toggleAttribute("data-over", goal !== dragged.closest(".column"));
  });

  document.addEventListener("drop", (event) => {
    const goal = column(event);
    if (!dragged || !goal) return;
    event.preventDefault();
    if (goal === dragged.closest(".column")) return;
    const button = dragged.querySelector(".move");
    button.focus({ preventScroll: true });
    const to = encodeURIComponent(goal.dataset.state);
    htmx.ajax("GET", `${dragged.dataset.moves}?to=${to}`, { target: "#moving", swap: "innerHTML", source: button });
  });

  document.addEventListener("dragend", () => {
    dragged?.removeAttribute("data-dragged");
    dragged = null;
    leave();
  });

  // A document that is chosen is read here, into the field where it could be pasted too.
  document.addEventListener("change", async (event) => {
    const field = document.getElementById(event.target.dataset?.reads ?? "");
    const [file] = event.target.files ?? [];
    if (field && file) field.value = await file.text();
  });

  document.addEventListener("htmx:afterSettle", arm);
  arm();
})();
