// The claims of the first page, filtered; what is chosen stands in the address after the #.
(function () {
  "use strict";
  const form = document.getElementById("filters");
  const shown = document.getElementById("shown");
  const none = document.getElementById("none");
  const rows = Array.from(document.querySelectorAll("table.claims tbody tr"));
  const choices = ["paper", "verdict", "profile"];

  function apply() {
    const words = form.elements.text.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const row of rows) {
      const fits =
        choices.every((name) => !form.elements[name].value || row.dataset[name] === form.elements[name].value) &&
        words.every((word) => row.dataset.search.includes(word));
      row.hidden = !fits;
      count += fits ? 1 : 0;
    }
    shown.value = `${count} of ${rows.length} claims`;
    none.hidden = count > 0;
  }

  function remember() {
    const chosen = new URLSearchParams();
    for (const name of [...choices, "text"]) {
      if (form.elements[name].value) chosen.set(name, form.elements[name].value);
    }
    const hash = chosen.toString();
    history.replaceState(null, "", hash ? `#${hash}` : location.pathname + location.search);
  }

  function recall() {
    if (!location.hash.includes("=")) return;
    const chosen = new URLSearchParams(location.hash.slice(1));
    for (const name of [...choices, "text"]) form.elements[name].value = chosen.get(name) || "";
    apply();
    document.getElementById("claims").scrollIntoView();
  }

  form.hidden = false;
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", () => { apply(); remember(); });
  form.addEventListener("reset", () => setTimeout(() => { apply(); remember(); }));
  window.addEventListener("hashchange", recall);
  apply();
  recall();
})();
