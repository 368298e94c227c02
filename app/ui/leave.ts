import { refusalOf } from "./refusal";

/**
 * Leaves a page of an organization that no longer answers whoever looks at it: a session that has ended is begun anew, and
 * goes on where it was; who is no longer a member goes to where they may be.
 */
export function leaveWhereShutOut(error: unknown): void {
  const { pathname, search } = window.location;
  if (!pathname.startsWith("/o/")) return;
  const { code } = refusalOf(error);
  if (code === "not_signed_in") {
    window.location.assign(`/sign-in?next=${encodeURIComponent(pathname + search)}`);
  } else if (code === "organization_not_found") {
    window.location.assign("/");
  }
}
