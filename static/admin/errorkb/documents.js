// Admin: what makes the form of a document comfortable; without this script everything works by its buttons.
(() => {
  const form = document.getElementById("document-form");
  if (!form) return;
  form.classList.add("scripted");
  let touched = false;

  // Rows: opening the blank one lays another behind it; arrows move a row among the others.
  const ownRows = (list) => [...list.querySelectorAll(":scope > .row-list > .row")];
  const showMoves = (root) => root.querySelectorAll(".moves").forEach((moves) => (moves.hidden = false));

  const layBlank = (row) => {
    const list = row.closest("[data-rows]");
    const prefix = list.dataset.rows;
    const total = list.querySelector(`:scope > [name="${prefix}-TOTAL_FORMS"]`);
    const next = Number(total.value);
    if (row.dataset.row !== `${prefix}-${next - 1}`) return false;
    const html = row.outerHTML.replaceAll(`${prefix}-${next - 1}`, `${prefix}-${next}`);
    row.insertAdjacentHTML("afterend", html);
    row.nextElementSibling.firstElementChild.open = false;
    total.value = next + 1;
    return true;
  };

  const renumber = (list) =>
    ownRows(list)
      .filter((row) => !row.firstElementChild.matches("details:not([open])"))
      .forEach((row, place) => {
        row.querySelector(`[name="${row.dataset.row}-ORDER"]`).value = place + 1;
      });

  const move = (row, by) => {
    const other = by < 0 ? row.previousElementSibling : row.nextElementSibling;
    if (!other || other.firstElementChild.matches("details:not([open])")) return;
    if (by < 0) other.before(row);
    else other.after(row);
    renumber(row.closest("[data-rows]"));
  };

  showMoves(form);
  form.addEventListener(
    "toggle",
    (event) => {
      const row = event.target.parentElement;
      if (!event.target.open || !row.matches(".row.new")) return;
      if (layBlank(row)) row.querySelector("textarea, input[type=text], select")?.focus();
    },
    true,
  );
  form.addEventListener("click", (event) => {
    const button = event.target.closest("[data-move]");
    if (!button) return;
    move(button.closest(".row"), Number(button.dataset.move));
    button.focus();
    touched = true;
  });

  // Previews: below a Markdown box, a moment after the last key.
  const PAUSE = 400;
  const running = new WeakMap();

  const panelOf = (box) => {
    let panel = box.parentElement.querySelector(".inline-preview");
    if (!panel) {
      panel = document.createElement("div");
      panel.className = "inline-preview";
      panel.setAttribute("aria-label", "Preview");
      box.after(panel);
    }
    return panel;
  };

  const preview = async (box, signal) => {
    const body = new URLSearchParams({ text: box.value });
    const headers = { "X-CSRFToken": form.elements.csrfmiddlewaretoken.value };
    try {
      const answer = await fetch(form.dataset.preview, { method: "POST", body, headers, signal });
      if (answer.ok && !answer.redirected) panelOf(box).innerHTML = await answer.text();
    } catch {
      // a newer text is on its way, or the network is gone: the last preview stays
    }
  };

  form.addEventListener("input", (event) => {
    touched = true;
    const box = event.target;
    if (!box.matches("[data-markdown]")) return;
    running.get(box)?.abort();
    const controller = new AbortController();
    running.set(box, controller);
    setTimeout(() => controller.signal.aborted || preview(box, controller.signal), PAUSE);
  });

  // Leaving with something typed and not saved asks first.
  form.addEventListener("submit", () => (touched = false));
  addEventListener("beforeunload", (event) => {
    if (touched) event.preventDefault();
  });
})();
