"use strict";
// The trap: put into each page before its own scripts. It hears what stored text could do, and finds what it became.

window.springs = (() => {
  const sprung = [];
  const spring = (what) => sprung.push(`${location.pathname}: ${what}`);
  window.trap = () => spring("a stored text was run");
  for (const name of ["alert", "confirm", "prompt", "print", "open"]) window[name] = () => spring(`${name}() was called`);
  document.addEventListener("securitypolicyviolation", (event) =>
    spring(`the policy stopped ${event.violatedDirective} ${event.blockedURI}`));

  // No page of ours holds one of these below its head; a text that did would.
  const NEVER = new Set((
    "script iframe frame frameset object embed applet img image picture video audio source track base portal math " +
    "marquee foreignobject animate set use feimage handler xmp plaintext listing template xss style meta " +
    "link keygen isindex param map area canvas slot font center"
  ).split(" "));
  const ADDRESSES = new Set((
    "href src action formaction data poster background srcset xlink:href sse-connect hx-get hx-post hx-put hx-delete " +
    "hx-patch ping cite longdesc manifest"
  ).split(" "));
  const TEXTS = new Set("title aria-label aria-valuetext value placeholder datetime content alt label data-text".split(" "));
  const FORBIDDEN = /^(on|style$|srcdoc$|srcset$|background$|formaction$|ping$|is$|xlink:|(data-)?hx-(on|vars|ws|sse|ext$|boost|disinherit))/;

  // Asked of the prototype: a form's own fields may be called like what is asked for.
  const valueOf = (element, name) => Element.prototype.getAttribute.call(element, name);
  const attributesOf = (element) =>
    Element.prototype.getAttributeNames.call(element).map((name) => ({ name, value: valueOf(element, name) }));
  const isForeignLink = (element) => /\bnoopener\b/.test(valueOf(element, "rel") ?? "");

  const wrongAddress = (element, value) => {
    let address;
    try {
      address = new URL(value, location.origin);
    } catch {
      return true;
    }
    if (!["http:", "https:", "mailto:"].includes(address.protocol)) return true;
    return (address.origin !== location.origin || /canary/i.test(address.pathname)) && !isForeignLink(element);
  };

  const wrongAttribute = (element, name, value) => {
    if (FORBIDDEN.test(name)) return !(valueOf(element, "id") === "ear" && name === "hx-ext");
    if (ADDRESSES.has(name)) return wrongAddress(element, value);
    return !TEXTS.has(name) && /\btrap\(|canary/i.test(value);
  };

  // What nobody sees and a model reads: bigmind/core/plain_text.py.
  const UNSEEN = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]|[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{2}/u;
  const SENT = new Set(["name", "value"]);
  const isControl = (element) => element.matches("input, option, button, select, textarea");
  const isTyped = (element) => element.matches("textarea:not([hidden]), input:not([type=hidden], [type=radio], [type=checkbox])");

  /* What a person reads of a text that holds such characters, but for the values of fields: and those are told beside. */
  const unseen = (root) => {
    const found = [];
    const show = (words) => JSON.stringify(words.slice(0, 120));
    for (const element of root.querySelectorAll("title, body, body *")) {
      const own = [...element.childNodes].filter((each) => each.nodeType === Node.TEXT_NODE).map((each) => each.data).join("");
      const isArea = element.localName === "textarea";
      if (!isArea && UNSEEN.test(own)) found.push(`unseen in <${element.localName}> ${show(own)}`);
      for (const { name, value } of attributesOf(element)) {
        if (ADDRESSES.has(name) && value.includes("\ufffd")) found.push(`${name} leads nowhere: ${show(value)}`);
        if (UNSEEN.test(value) && !(isControl(element) && SENT.has(name))) found.push(`unseen in ${name}= ${show(value)}`);
      }
      const typed = isArea ? own : valueOf(element, "value") ?? "";
      if (isTyped(element) && UNSEEN.test(typed) && !element.nextElementSibling?.matches(".unseen"))
        found.push(`not told of beside <${element.localName}> ${show(typed)}`);
      if (element.matches("datalist option") && UNSEEN.test(typed)) found.push(`offered: ${show(typed)}`);
    }
    return found;
  };

  /* What stands in a document that stored text alone can have put there. */
  const inspect = (root) => {
    const found = unseen(root);
    for (const element of root.querySelectorAll("body, body *")) {
      const tag = element.localName.toLowerCase();
      if (NEVER.has(tag)) found.push(`<${tag}> ${element.outerHTML.slice(0, 120)}`);
      for (const { name, value } of attributesOf(element))
        if (wrongAttribute(element, name, value)) found.push(`${tag}[${name}] ${value.slice(0, 120)}`);
    }
    const heads = root.querySelectorAll("head script, head link, head style, head base, head meta").length;
    if (heads > 17) found.push(`${heads} elements in the head`);
    return found;
  };

  /* The pages at those addresses, as they come, without being opened: what is in each that should not be. */
  const fetched = async (addresses, options) => {
    const found = [];
    for (const address of addresses) {
      const answer = await fetch(address, options?.[address]);
      const text = await answer.text();
      if (!answer.headers.get("Content-Type")?.startsWith("text/html")) continue;
      const read = new DOMParser().parseFromString(text, "text/html");
      found.push(...inspect(read).map((each) => `${address.slice(0, 100)}: ${each}`));
    }
    return found;
  };

  return { sprung, inspect, fetched };
})();
