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
 * What a form says of a refusal: where the session has ended, how to go on without losing what was typed.
 * @param button the words on what was pressed, where they are known.
 */
export function inForm(error: unknown, button?: string): unknown {
  if (error === null || !isOrganizationPage() || toApiError(error).code !== "not_signed_in") return error;
  return new SignedOut(button);
}

function isOrganizationPage(): boolean {
  return window.location.pathname.startsWith("/o/");
}
