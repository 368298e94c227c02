import { askAuth } from "./auth";

/** Ends this browser's session, and shows the sign-in page. */
export async function signOut(): Promise<void> {
  await askAuth("/sign-out", {}).catch(() => undefined);
  window.location.assign("/sign-in");
}
