import { isFormFilled } from "./filled-forms";
import { refusalOf, SignedOut } from "./refusal";

/**
 * Leaves a page of an organization that no longer answers whoever looks at it: a session that has ended is begun anew, and
 * goes on where it was, unless a form is filled, which stays as it is; who is no longer a member goes to where they may be.
 */
export function leaveWhereShutOut(error: unknown): void {
  if (!isOrganizationPage()) return;
  const { pathname, search } = window.location;
  const { code } = refusalOf(error);
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
  if (error === null || !isOrganizationPage() || refusalOf(error).code !== "not_signed_in") return error;
  return new SignedOut(button);
}

function isOrganizationPage(): boolean {
  return window.location.pathname.startsWith("/o/");
}
