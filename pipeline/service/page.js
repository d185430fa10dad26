"use strict";
// Makes the page quicker where there is JavaScript; everything on it works without.

const form = document.getElementById("ask");
if (form) {
  const file = document.getElementById("file");
  form.addEventListener("dragover", (event) => { event.preventDefault(); form.classList.add("over"); });
  form.addEventListener("dragleave", () => form.classList.remove("over"));
  form.addEventListener("drop", (event) => {
    event.preventDefault();
    form.classList.remove("over");
    if (event.dataTransfer.files.length) file.files = event.dataTransfer.files;
  });
  form.addEventListener("submit", (event) => {
    if (event.submitter?.hasAttribute("formaction")) return; // another page
    event.preventDefault();
    check();
  });
}

/** Asks for the report and puts it below the form, which stays as it is. */
async function check() {
  const result = document.getElementById("result");
  const button = document.getElementById("check");
  const words = form.dataset;
  button.disabled = true;
  result.setAttribute("aria-busy", "true");
  result.replaceChildren(paragraph(words.busy, "total"));
  try {
    const page = await fetched(form.action, { method: "POST", body: new FormData(form) });
    result.replaceChildren(...page.getElementById("result").childNodes);
  } catch {
    result.replaceChildren(paragraph(words.lost, "card trouble"));
  }
  result.removeAttribute("aria-busy");
  button.disabled = false;
  result.scrollIntoView({ block: "nearest" });
  result.focus({ preventScroll: true });
}

function paragraph(text, kind) {
  const made = document.createElement("p");
  made.className = kind;
  made.textContent = text;
  return made;
}

/** The page at `address`, as a document. */
async function fetched(address, asked = {}) {
  const answer = await fetch(address, { ...asked, headers: { Accept: "text/html" } });
  return new DOMParser().parseFromString(await answer.text(), "text/html");
}

/** Looks again at a run for as long as it is not over. */
async function watch() {
  const run = document.getElementById("run");
  if (!run || run.dataset.over === "yes") return;
  await new Promise((resolve) => setTimeout(resolve, 1000));
  try {
    const now = (await fetched(location.href)).getElementById("run");
    if (!now) return location.reload();
    const state = document.getElementById("state").textContent;
    if (now.dataset.over === "yes" || now.querySelector("#state").textContent !== state) run.replaceWith(now);
    else run.querySelector("#progress")?.replaceChildren(...now.querySelector("#progress").childNodes);
  } catch { /* the server may come back */ }
  watch();
}
watch();
