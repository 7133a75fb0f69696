// Swagger UI has dark colours, behind a class of the root element.
const chosen = document.querySelector(".way-back").dataset.options.split(" ");
const night = matchMedia("(prefers-color-scheme: dark)");

function colour() {
  document.documentElement.classList.toggle("dark-mode", chosen.includes("dark") || (night.matches && !chosen.includes("light")));
}

colour();
night.addEventListener("change", colour);
