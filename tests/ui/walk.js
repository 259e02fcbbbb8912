"use strict";
// What a walk asks of a page. Put into each page before its own scripts; asks nothing of the network.

window.walk = (() => {
  const CONTROLS = "a, button, input, select, textarea, summary, label";
  const BLOCKS = ".card, dialog[open], h1, h2, h3, h4, p, li, td, th, dd, dt, pre, .buttons, .filter, .chip, .toast";
  const MOST = 8;
  const LEVELS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

  const words = (element) => (element.textContent || element.value || "").trim().replace(/\s+/g, " ").slice(0, 40);

  const named = (element) => {
    const classes = [...element.classList].map((each) => `.${each}`).join("");
    return `${element.tagName.toLowerCase()}${element.id ? `#${element.id}` : ""}${classes} “${words(element)}”`;
  };

  const isCutAway = (element) => {
    for (let at = element; at; at = at.parentElement) if (getComputedStyle(at).clipPath !== "none") return true;
    return false;
  };

  const isSeen = (element) => {
    const box = element.getBoundingClientRect();
    return (
      box.width > 1 && box.height > 1 && !element.closest(".skip") && !isCutAway(element) &&
      element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    );
  };

  const scrolls = (element) => {
    for (let at = element; at && at !== document.body; at = at.parentElement)
      if (/auto|scroll/.test(getComputedStyle(at).overflowX)) return true;
    return false;
  };

  const isClipped = (element) => {
    for (let at = element; at && at !== document.body; at = at.parentElement)
      if (getComputedStyle(at).overflowX !== "visible") return true;
    return false;
  };

  const besideTheWindow = (room) =>
    [...document.querySelectorAll(CONTROLS)].filter((element) => {
      const box = element.getBoundingClientRect();
      return (box.right > room + 1 || box.left < -1) && isSeen(element) && !isClipped(element);
    });

  const tooNarrow = (element) => {
    if (element.scrollWidth <= element.clientWidth + 1 || !element.clientWidth || !isSeen(element)) return "";
    const style = getComputedStyle(element);
    if (style.display.startsWith("inline") && style.overflowX === "visible") return "";
    if (style.overflowX === "visible") return scrolls(element) ? "" : "sticks out";
    return /hidden|clip/.test(style.overflowX) && style.textOverflow !== "ellipsis" ? "cut" : "";
  };

  // Words that stand letter by letter under each other.
  const isCrumbled = (element) => {
    const { width, height } = element.getBoundingClientRect();
    const size = parseFloat(getComputedStyle(element).fontSize);
    return isSeen(element) && words(element).length > 2 && width < 2.2 * size && height > 3 * size;
  };

  /* What of the page does not fit the window, in words. */
  const shape = () => {
    const room = document.documentElement.clientWidth;
    const width = document.documentElement.scrollWidth;
    const found = width > room ? [`the page is ${width - room} px too wide`] : [];
    found.push(...besideTheWindow(room).map((element) => `beside the window: ${named(element)}`));
    for (const element of document.querySelectorAll(`${BLOCKS}, button, select`)) {
      const fault = tooNarrow(element);
      if (fault) found.push(`${fault} by ${element.scrollWidth - element.clientWidth} px: ${named(element)}`);
    }
    found.push(...[...document.querySelectorAll("button, a, td, th, .chip")].filter(isCrumbled)
      .map((element) => `crumbled: ${named(element)}`));
    return found.slice(0, MOST);
  };

  const told = (node) => {
    const checks = [...node.any, ...node.all, ...node.none].map((check) => check.message);
    return `${node.target.join(" ")}: ${checks.join("; ").slice(0, 300)}`;
  };

  /* What axe finds, by one rule or by all: whether it is advice only, and the words. */
  const judge = async (only) => {
    const options = { resultTypes: ["violations"], runOnly: { type: "tag", values: LEVELS } };
    if (only) options.runOnly = { type: "rule", values: [only] };
    else options.rules = { "target-size": { enabled: true } };
    const { violations } = await axe.run(document, options);
    return violations.flatMap((each) =>
      each.nodes.slice(0, 3).map((node) => [each.tags.includes("best-practice"), `${each.id}: ${told(node)}`]),
    );
  };

  /* What opens something, one of each kind: the kind, and its place among all that open something. */
  const openers = (selector) => {
    const found = new Map();
    document.querySelectorAll(selector).forEach((element, place) => {
      const around = element.parentElement;
      const what = element.dataset.opens ?? `${around.tagName}-${around.className}`;
      const kind = what.replace(/[0-9a-f]{8}[0-9a-f-]*|\d+/g, "").replace(/[^a-z]+/gi, "-").replace(/^-|-$/g, "");
      if (!found.has(kind) && isSeen(element)) found.set(kind, place);
    });
    return [...found];
  };

  return { shape, judge, openers };
})();
