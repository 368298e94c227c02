import type { Person } from "@/server/core/actor";
import type { Services } from "@/server/core/context";
import { askBetterAuth } from "./ask";
import { authOf } from "./auth";

/**
 * Returns the person whom the request's cookie identifies; null if there is none, or if the session has ended or was
 * revoked.
 * @param renew receives the cookie of a renewed session, which the response has to carry. Without it no session is
 * renewed, because its row would outlive the browser's cookie.
 */
export async function personOf(
  services: Services,
  headers: Headers,
  address: string | null,
  renew?: (cookie: string) => void,
): Promise<Person | null> {
  if (!headers.has("cookie")) return null;
  const query = { disableRefresh: renew === undefined };
  const found = await askBetterAuth(() =>
    authOf(services).api.getSession({ headers, query, returnHeaders: true }),
  );
  if (!found.response) return null;
  for (const cookie of found.headers.getSetCookie()) renew?.(cookie);
  const { user, session } = found.response;
  return {
    userId: user.id,
    sessionId: session.id,
    email: user.email,
    name: user.name,
    hasTwoFactor: user.twoFactorEnabled === true,
    address,
  };
}
