// Boxes that take a paste: a dropped file is sent at once, Enter sends one line, and several lines pasted into the
// search box go to be matched, by POST and never in an address. Without this script the forms do the same by hand.
(() => {
  const send = (form) => form.requestSubmit(form.querySelector("button[type=submit]"));

  const prepare = (form) => {
    const limit = Number(form.dataset.paste);
    const text = form.elements.text;
    const file = form.elements.file;
    const status = form.querySelector("[data-paste-status]");

    const say = (words) => {
      status.textContent = words;
      status.hidden = !words;
    };

    const take = () => {
      const [chosen] = file.files;
      if (!chosen) return;
      if (chosen.size > limit) {
        say(`${chosen.name} has more than the ${Math.floor(limit / 2 ** 20)} MiB that are matched at once.`);
        file.value = "";
        return;
      }
      say(`Reading ${chosen.name} …`);
      send(form);
    };

    form.querySelector("[data-drop]").hidden = false;
    file.addEventListener("change", take);
    form.addEventListener("submit", (event) => {
      if (!text.value.trim() && !file.files.length) {
        event.preventDefault();
        text.focus();
      }
    });
    text.addEventListener("keydown", (event) => {
      const isSent = event.key === "Enter" && !event.shiftKey && !event.isComposing;
      const isWanted = event.ctrlKey || event.metaKey || ("enter" in form.dataset && !text.value.includes("\n"));
      if (!isSent || !isWanted) return;
      event.preventDefault();
      send(form);
    });

    const hasFiles = (event) => event.dataTransfer?.types.includes("Files");
    addEventListener("dragover", (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      form.classList.add("over");
    });
    addEventListener("dragleave", (event) => {
      if (!event.relatedTarget) form.classList.remove("over");
    });
    addEventListener("drop", (event) => {
      form.classList.remove("over");
      if (!hasFiles(event)) return;
      event.preventDefault();
      file.files = event.dataTransfer.files;
      take();
    });
  };

  const matchInstead = (address, text) => {
    const form = document.createElement("form");
    Object.assign(form, { action: address, method: "post", enctype: "multipart/form-data", hidden: true });
    const box = Object.assign(document.createElement("textarea"), { name: "text", value: text });
    form.append(box);
    document.body.append(form);
    form.submit();
  };

  const box = document.querySelector("form[data-paste]");
  if (box) prepare(box);
  for (const input of document.querySelectorAll("input[data-pastes-to]")) {
    input.addEventListener("paste", (event) => {
      const text = event.clipboardData?.getData("text") ?? "";
      if (!text.trim().includes("\n") && text.length <= input.maxLength) return;
      event.preventDefault();
      matchInstead(input.dataset.pastesTo, text);
    });
  }
})();
