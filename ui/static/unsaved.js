"use strict";

// Words that were typed and not sent: the browser asks before it leaves them. They are kept nowhere else, for what stands in
// a memory is not to be left in the browser's storage.

(() => {
  const FIELDS = "textarea, input:not([type=hidden], [type=password], [type=file]), select";

  // What a field held when it was sent: its page may not have been brought up to date since.
  const sent = new WeakMap();
  let isLed = false;

  // A field of one line holds no line ends, which what is stored may have.
  const held = (field) => (field.matches("textarea") ? field.defaultValue : field.defaultValue.replace(/[\r\n]/g, ""));

  const isChanged = (field) =>
    field.matches("select") ? [...field.options].some((each) => each.defaultSelected && !each.selected)
      : field.value !== held(field) && field.value !== sent.get(field);

  bigmind.holdsWords = (around) => [...around.querySelectorAll(FIELDS)].some(isChanged);

  document.addEventListener("acted", (event) => {
    event.target.closest("form")?.querySelectorAll(FIELDS).forEach((field) => sent.set(field, field.value));
  });

  // What was done leads to another page by itself.
  document.addEventListener("htmx:beforeOnLoad", (event) => {
    isLed ||= Boolean(event.detail.xhr.getResponseHeader("HX-Redirect"));
  });

  addEventListener("beforeunload", (event) => {
    const forms = [...document.querySelectorAll("form.action")].filter((form) => !form.closest("dialog:not([open])"));
    if (!isLed && forms.some(bigmind.holdsWords)) event.preventDefault();
  });
})();
