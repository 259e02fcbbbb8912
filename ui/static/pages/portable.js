"use strict";

(() => {
  const form = document.getElementById("import");
  const file = document.getElementById("file");
  const path = document.getElementById("path"); // a member of a team sends files only
  const told = document.getElementById("import-told");
  const sending = document.getElementById("sending");
  const token = JSON.parse(document.body.getAttribute("hx-headers"))["BigMind-Form-Token"];

  // A file is sent first, as it is; then the form says where the server has it.
  let request = null;
  let sent = null;

  const use = (kept) => {
    form.elements.uploaded.value = kept ?? "";
  };

  file.addEventListener("change", () => {
    sent = null;
    use(null);
    if (path && file.files.length) path.value = "";
  });

  path?.addEventListener("input", () => {
    if (!path.value) return;
    file.value = "";
    sent = null;
    use(null);
  });

  const say = (words) => {
    const fault = document.createElement("p");
    fault.className = "fault";
    fault.setAttribute("role", "alert");
    fault.textContent = words;
    told.replaceChildren(fault);
  };

  const size = (bytes) => `${(bytes / 1000000).toFixed(1)} MB`;

  const show = (done, total) => {
    sending.querySelector("progress").value = total ? done / total : 0;
    sending.querySelector("[data-sending]").textContent = `Sending the file: ${size(done)} of ${size(total)}`;
  };

  const reason = (answer) => {
    try {
      const problem = JSON.parse(answer.responseText);
      return `${problem.title} ${problem.hint ?? ""}`;
    } catch {
      return "The file was not taken.";
    }
  };

  const end = () => {
    request = null;
    sending.hidden = true;
    form.querySelector(".primary").disabled = false;
  };

  const send = (chosen, then) => {
    told.replaceChildren();
    sending.hidden = false;
    form.querySelector(".primary").disabled = true;
    show(0, chosen.size);
    request = new XMLHttpRequest();
    request.open("POST", "/uploads");
    request.setRequestHeader("Content-Type", "application/octet-stream");
    request.setRequestHeader("BigMind-Form-Token", token);
    request.setRequestHeader("BigMind-File-Name", encodeURIComponent(chosen.name));
    request.upload.addEventListener("progress", (event) => show(event.loaded, event.total));
    request.addEventListener("load", () => {
      const answer = request;
      end();
      if (answer.status === 401) bigmind.tellSignedOut(told);
      else if (answer.status !== 200) say(reason(answer));
      else then(JSON.parse(answer.responseText).path);
    });
    request.addEventListener("error", () => {
      end();
      say("The file was not taken: BigMind ended the connection. It may be too large, or the disk may be full.");
    });
    request.addEventListener("abort", () => {
      end();
      file.focus();
    });
    request.send(chosen);
  };

  document.addEventListener("htmx:confirm", (event) => {
    const chosen = file.files[0];
    if (event.target !== form || !chosen || sent === chosen) return;
    event.preventDefault();
    if (request) return;
    if (chosen.size > Number(form.dataset.most)) {
      say(`This file has ${size(chosen.size)}; at most ${size(Number(form.dataset.most))} are imported at once.`);
      return;
    }
    send(chosen, (kept) => {
      sent = chosen;
      use(kept);
      event.detail.issueRequest(true);
    });
  });

  // What was sent is gone once it was imported, or after an hour: it is then sent anew.
  document.addEventListener("htmx:afterRequest", (event) => {
    const is_dry = event.detail.requestConfig?.parameters?.dry_run;
    if (event.detail.target === told && (!is_dry || event.detail.xhr.status === 404)) sent = null;
  });

  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-stops]")) request?.abort();
  });
})();
