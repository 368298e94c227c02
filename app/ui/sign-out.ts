import { askAuth } from "./auth";

/** Ends this browser's sign-in, and shows the page to sign in anew. */
export async function signOut(): Promise<void> {
  await askAuth("/sign-out", {}).catch(() => undefined);
  window.location.assign("/sign-in");
}
