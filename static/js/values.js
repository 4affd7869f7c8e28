// The reader's own values in the slots of the message. They come from a match, in the address's fragment
// (#v.name=value&…), which browsers send to no server. Whatever stands there is shown as text, and as the reader's.
(() => {
  const MAX_FRAGMENT = 8192;
  const MAX_VALUE = 300;
  const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

  const message = document.getElementById("message");
  const note = document.querySelector("[data-values]");
  if (!message || !note || !location.hash.startsWith("#v.") || location.hash.length > MAX_FRAGMENT) return;

  const given = new Map();
  for (const [name, value] of new URLSearchParams(location.hash.slice(1))) {
    if (name.startsWith("v.") && value) given.set(name.slice(2), value.slice(0, MAX_VALUE).replace(HIDDEN, "\ufffd"));
  }
  const slots = [...message.querySelectorAll("var[data-slot]")]
    .filter((slot) => given.has(slot.dataset.slot))
    .map((slot) => ({ slot, source: [...slot.childNodes], written: slot.textContent, value: given.get(slot.dataset.slot) }));
  if (!slots.length) return;

  let isFilled = false;
  const button = note.querySelector("button");
  const turn = () => {
    isFilled = !isFilled;
    for (const { slot, source, written, value } of slots) {
      if (isFilled) slot.textContent = value;
      else slot.replaceChildren(...source);
      slot.classList.toggle("filled", isFilled);
      slot.title = isFilled ? written : value;
    }
    button.textContent = isFilled ? "As the source has it" : "With your values";
  };

  button.addEventListener("click", turn);
  turn();
  note.hidden = false;
})();
