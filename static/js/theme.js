// The switch between light and dark: the system's wish holds until the reader says otherwise.
// Loaded in the head without defer, so that the first paint has the right colours.
(() => {
  const root = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)");

  const kept = () => {
    try {
      return localStorage.getItem("theme");
    } catch {
      return null; // storage may be forbidden; then the choice lasts for the page
    }
  };

  const keep = (theme) => {
    try {
      if (theme) localStorage.setItem("theme", theme);
      else localStorage.removeItem("theme");
    } catch {
      // see above
    }
  };

  const apply = (theme) => {
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
    else delete root.dataset.theme;
  };

  const system = () => (dark.matches ? "dark" : "light");
  const shown = () => root.dataset.theme ?? system();

  apply(kept());

  addEventListener("DOMContentLoaded", () => {
    const button = document.querySelector("[data-theme-switch]");
    if (!button) return;
    const describe = () => {
      const label = `Switch to ${shown() === "dark" ? "light" : "dark"} colours`;
      button.setAttribute("aria-label", label);
      button.title = label;
    };
    button.addEventListener("click", () => {
      const wanted = shown() === "dark" ? "light" : "dark";
      const theme = wanted === system() ? null : wanted;
      apply(theme);
      keep(theme);
      describe();
    });
    dark.addEventListener("change", describe);
    describe();
    button.hidden = false;
  });
})();
