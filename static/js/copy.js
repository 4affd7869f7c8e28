// Copy buttons: hidden in the page, shown only where the browser can copy. data-copy holds the id of what is copied.
(() => {
  if (!navigator.clipboard) return;

  const say = (button, word) => {
    button.textContent = word;
    button.classList.toggle("done", word === "Copied");
    setTimeout(() => {
      button.textContent = "Copy";
      button.classList.remove("done");
    }, 1600);
  };

  for (const button of document.querySelectorAll("button[data-copy]")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      const text = document.getElementById(button.dataset.copy)?.textContent ?? "";
      try {
        await navigator.clipboard.writeText(text);
        say(button, "Copied");
      } catch {
        say(button, "Not allowed");
      }
    });
  }
})();
