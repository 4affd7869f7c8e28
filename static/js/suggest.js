// Suggestions below the search box, as a combobox with a list (https://www.w3.org/WAI/ARIA/apg/patterns/combobox/).
// Without this script the box is a plain one. The focus stays in it; the list is walked by aria-activedescendant.
(() => {
  const WAIT = 120; // milliseconds after a key
  const KINDS = { repository: "repository", type: "type", symbol: "function", code: "code", title: "error" };

  const prepare = (input) => {
    const form = input.form;
    const list = Object.assign(document.createElement("ul"), { id: `${input.id}-suggestions`, hidden: true });
    list.className = "suggestions";
    list.setAttribute("role", "listbox");
    list.setAttribute("aria-label", "Suggestions");
    const status = Object.assign(document.createElement("span"), { className: "unseen" });
    status.setAttribute("role", "status");
    form.append(list, status);
    for (const [name, value] of [
      ["role", "combobox"],
      ["aria-autocomplete", "list"],
      ["aria-expanded", "false"],
      ["aria-controls", list.id],
    ]) input.setAttribute(name, value);

    let timer = 0;
    let asked = null;
    let found = [];
    let active = -1;

    const close = () => {
      clearTimeout(timer);
      asked?.abort();
      list.hidden = true;
      active = -1;
      input.setAttribute("aria-expanded", "false");
      input.removeAttribute("aria-activedescendant");
    };

    const walk = (place) => {
      const options = list.children;
      options[active]?.setAttribute("aria-selected", "false");
      active = place;
      const option = options[active];
      if (!option) return input.removeAttribute("aria-activedescendant");
      option.setAttribute("aria-selected", "true");
      option.scrollIntoView({ block: "nearest" });
      input.setAttribute("aria-activedescendant", option.id);
    };

    const take = (suggestion) => {
      close();
      if (suggestion.kind === "title") {
        location.assign(new URL(suggestion.html_url).pathname + new URL(suggestion.html_url).search);
        return;
      }
      input.value = `${suggestion.query} `;
      input.focus();
    };

    const show = () => {
      list.replaceChildren(
        ...found.map((suggestion, place) => {
          const option = Object.assign(document.createElement("li"), { id: `${list.id}-${place}` });
          option.setAttribute("role", "option");
          option.setAttribute("aria-selected", "false");
          const text = Object.assign(document.createElement("span"), { textContent: suggestion.text });
          text.className = "suggested";
          const kind = Object.assign(document.createElement("span"), { textContent: KINDS[suggestion.kind] });
          kind.className = "fine";
          option.append(text, " ", kind);
          option.addEventListener("pointerdown", (event) => event.preventDefault()); // the focus stays in the box
          option.addEventListener("click", () => take(suggestion));
          return option;
        }),
      );
      active = -1;
      input.removeAttribute("aria-activedescendant");
      list.hidden = !found.length;
      input.setAttribute("aria-expanded", String(Boolean(found.length)));
      status.textContent = found.length ? `${found.length} suggestions` : "";
    };

    const ask = async () => {
      asked?.abort();
      asked = new AbortController();
      const typed = input.value;
      try {
        const answer = await fetch(`${input.dataset.suggest}?q=${encodeURIComponent(typed)}`, { signal: asked.signal });
        if (!answer.ok || input.value !== typed || document.activeElement !== input) return;
        found = (await answer.json()).suggestions;
        show();
      } catch {
        // The next key asks again; without an answer the box is as good as before.
      }
    };

    input.addEventListener("input", (event) => {
      clearTimeout(timer);
      if (event.isComposing || input.value.trim().length < 2 || input.value.length > 200) return close();
      timer = setTimeout(ask, WAIT);
    });
    input.addEventListener("keydown", (event) => {
      if (event.isComposing) return;
      const last = found.length - 1;
      const isOpen = !list.hidden;
      const steps = {
        ArrowDown: () => (isOpen ? walk(active >= last ? -1 : active + 1) : ask()),
        ArrowUp: () => isOpen && walk(active < 0 ? last : active - 1),
        Escape: () => isOpen && close(),
        Enter: () => isOpen && active >= 0 && take(found[active]),
      };
      const step = steps[event.key];
      if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
      if (event.key === "Enter" && !(isOpen && active >= 0)) return close();
      if (event.key === "Escape" && !isOpen) return;
      event.preventDefault();
      step();
    });
    input.addEventListener("blur", close);
    form.addEventListener("submit", close);
  };

  for (const input of document.querySelectorAll("input[data-suggest]")) prepare(input);
})();
