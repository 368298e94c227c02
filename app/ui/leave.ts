import { toApiError, SignedOut } from "./api-error";

/**
 * Leaves a page of an organization to which the viewer has no access any more. If the session has ended, they sign in
 * again and return, unless there is unsaved work: then the page stays. A person who is no longer a member goes to an
 * organization that they may open.
 */
export function leaveWithoutAccess(error: unknown): void {
  if (!isOrganizationPage()) return;
  const { pathname, search } = window.location;
  const { code } = toApiError(error);
  if (code === "not_signed_in" && !isWorkUnsaved()) {
    window.location.assign(`/sign-in?next=${encodeURIComponent(pathname + search)}`);
  } else if (code === "organization_not_found") {
    window.location.assign("/");
  }
}

/**
 * Returns the error to show in a form. If the session has ended, it says how to continue without losing the input.
 * @param button the label of the pressed button, if known.
 */
export function inForm(error: unknown, button?: string): unknown {
  if (error === null || !isOrganizationPage() || toApiError(error).code !== "not_signed_in") return error;
  return new SignedOut(button);
}

function isOrganizationPage(): boolean {
  return window.location.pathname.startsWith("/o/");
}

/** Forms with input that was changed since they were created or last saved. */
const filled = new WeakSet<HTMLFormElement>();
if (typeof document !== "undefined") {
  document.addEventListener("input", ({ target }) => {
    const form = target instanceof Element ? target.closest("form") : null;
    if (form !== null) filled.add(form);
  });
}

/** Checks for work outside of forms. */
const unsavedChecks: (() => boolean)[] = [];

/** Keeps the page open at the end of a session as long as the check finds unsaved work. */
export function keepPageWhile(isUnsaved: () => boolean): void {
  unsavedChecks.push(isUnsaved);
}

/** Returns whether leaving the page would discard somebody's work. A form in a dialog counts even without changes. */
function isWorkUnsaved(): boolean {
  if (unsavedChecks.some((isUnsaved) => isUnsaved())) return true;
  return [...document.forms].some((form) => filled.has(form) || form.closest("[aria-modal=true]") !== null);
}

/** Marks the form as saved: nothing in it can be lost. */
export function noteSaved(form: HTMLFormElement): void {
  filled.delete(form);
}
