/** Forms with input that was changed since they were created or last saved. */
const filled = new WeakSet<HTMLFormElement>();
if (typeof document !== "undefined") {
  document.addEventListener("input", ({ target }) => {
    const form = target instanceof Element ? target.closest("form") : null;
    if (form !== null) filled.add(form);
  });
}

/** Returns whether leaving the page would discard somebody's work. A form in a dialog counts even without changes. */
export function isFormFilled(): boolean {
  return [...document.forms].some((form) => filled.has(form) || form.closest("[aria-modal=true]") !== null);
}

/** Marks the form as saved: nothing in it can be lost. */
export function noteSaved(form: HTMLFormElement): void {
  filled.delete(form);
}
