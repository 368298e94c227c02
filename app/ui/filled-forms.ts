/** Forms in which something was typed or chosen since they were made or last saved. */
const filled = new WeakSet<HTMLFormElement>();
if (typeof document !== "undefined") {
  document.addEventListener("input", ({ target }) => {
    const form = target instanceof Element ? target.closest("form") : null;
    if (form !== null) filled.add(form);
  });
}

/** Whether leaving the page would throw away what somebody works on. A form in a dialog counts even while it is as it was. */
export function isFormFilled(): boolean {
  return [...document.forms].some((form) => filled.has(form) || form.closest("[aria-modal=true]") !== null);
}

/** What the form says is stored: there is nothing left in it to lose. */
export function noteSaved(form: HTMLFormElement): void {
  filled.delete(form);
}
