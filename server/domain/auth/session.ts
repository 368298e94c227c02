import type { Person } from "@/server/core/actor";
import type { Services } from "@/server/core/context";
import { askBetterAuth } from "./ask";
import { authOf } from "./auth";

/**
 * Who the request's cookie speaks for; null for nobody, and for a session that has ended or was revoked.
 * @param renew told the cookie of a session that lasts anew from now on, which the answer has to carry. Without it no
 * session is renewed: its row would outlive the browser's cookie.
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
