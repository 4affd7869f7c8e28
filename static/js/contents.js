// The contents list says which section is being read; without this script it is a plain list of links.
(() => {
  const links = new Map();
  for (const link of document.querySelectorAll(".contents a")) {
    const section = document.getElementById(link.hash.slice(1));
    if (section) links.set(section, link);
  }
  if (!links.size || !("IntersectionObserver" in window)) return;

  const mark = (link, current) => {
    if (current) link.setAttribute("aria-current", "location");
    else link.removeAttribute("aria-current");
  };

  const visible = new Set();
  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) visible[isIntersecting ? "add" : "delete"](target);
    const current = [...links.keys()].find((section) => visible.has(section));
    if (!current) return; // between two sections, the last one read stays marked
    for (const [section, link] of links) mark(link, section === current);
  }, { rootMargin: "-10% 0px -60% 0px" });
  for (const section of links.keys()) observer.observe(section);
})();
