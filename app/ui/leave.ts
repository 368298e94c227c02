import { isFormFilled } from "./filled-forms";
import { toApiError, SignedOut } from "./api-error";

/**
 * Leaves a page of an organization to which the viewer has no access any more. If the session has ended, they sign in
 * again and return, unless a form is filled: then the page stays. A person who is no longer a member goes to an
 * organization that they may open.
 */
export function leaveWithoutAccess(error: unknown): void {
  if (!isOrganizationPage()) return;
  const { pathname, search } = window.location;
  const { code } = toApiError(error);
  if (code === "not_signed_in" && !isFormFilled()) {
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
