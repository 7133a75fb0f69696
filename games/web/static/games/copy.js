// Buttons that copy what stands in a field.
async function copy(button) {
  const field = document.getElementById(button.dataset.copies);
  const status = button.parentElement.querySelector("[role=status]");
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    status.textContent = "Copied.";
  } catch {
    // Without HTTPS, or without leave, a page may not write to the clipboard.
    status.textContent = "It is selected: press Ctrl+C, or ⌘C.";
  }
}

for (const button of document.querySelectorAll("[data-copies]")) {
  button.hidden = false;
  button.addEventListener("click", () => copy(button));
}
