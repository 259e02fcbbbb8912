"use strict";

// A sign-in that ended while a page was open. What was typed stays, and can be saved after signing in in another tab.

(() => {
  let isSignedOut = false;
  let isAnother = false;

  const words = () => {
    const told = document.createElement("p");
    if (isAnother) {
      told.append("Somebody else is signed in by now; nothing was saved. Copy your text before you load the page anew.");
      return told;
    }
    const link = document.createElement("a");
    link.href = "/sign-in";
    link.target = "_blank";
    link.textContent = "Sign in in another tab";
    told.append("You are signed out; nothing was saved. ", link, ", then save again: your text stays here.");
    return told;
  };

  const toast = document.createElement("div");
  toast.className = "toast";
  toast.dataset.toast = "";
  toast.setAttribute("role", "alert");

  const sayIn = (slot) => {
    const fault = words();
    fault.className = "fault";
    fault.setAttribute("role", "alert");
    slot.replaceChildren(fault);
  };

  const sayBeside = () => {
    toast.replaceChildren(words());
    if (!toast.isConnected) document.getElementById("toasts").append(toast);
  };

  const FIELDS = ".action :is(textarea, input:not([type=hidden], [type=password]))";
  const isTyped = () => [...document.querySelectorAll(FIELDS)].some((field) => field.value !== field.defaultValue);

  // Where nothing would be lost, the page asks to sign in, and comes back after that.
  const tell = (slot) => {
    isSignedOut = true;
    if (slot) sayIn(slot);
    else if (isTyped() || document.querySelector(".slot .fault a[href='/sign-in']")) sayBeside();
    else location.reload();
  };

  document.addEventListener("htmx:responseError", (event) => {
    const { target, xhr } = event.detail;
    if (xhr.status === 401) tell(target?.matches(".slot") ? target : null);
  });

  // Whoever is signed in again has another form token; what was typed goes into nobody else's memory.
  const whose = (page) => page.querySelector(".whose")?.dataset.user;

  const renew = async () => {
    const answer = await fetch("/profile", { headers: { "HX-Request": "true" } });
    if (!answer.ok) return false;
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    isAnother = whose(fresh) !== whose(document);
    if (isAnother) return false;
    const headers = fresh.body.getAttribute("hx-headers");
    document.body.setAttribute("hx-headers", headers);
    const token = JSON.parse(headers)["BigMind-Form-Token"];
    document.querySelectorAll("[name=form_token]").forEach((field) => { field.value = token; });
    isSignedOut = false;
    toast.remove();
    return true;
  };

  const sendAgain = async (form, submitter) => {
    if (await renew()) form.requestSubmit(submitter);
    else tell(form.querySelector(".slot"));
  };

  document.addEventListener(
    "htmx:confirm",
    (event) => {
      const { elt, triggeringEvent } = event.detail;
      if (!isSignedOut || !elt.matches("form.action")) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      sendAgain(elt, triggeringEvent?.submitter);
    },
    true,
  );

  bigmind.tellSignedOut = tell;
})();
