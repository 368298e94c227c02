import { randomBytes, timingSafeEqual } from "node:crypto";
import { eq } from "drizzle-orm";
import type { OrmTransaction } from "@/db/client";
import { signInPlaces } from "@/db/schema";
import type { Services } from "@/server/core/context";
import { networkOf } from "./network";

/** Browsers keep a cookie for at most 400 days. */
export const PLACE_DAYS = 400;
/** Maximum per account; the latest are kept. Otherwise many networks would each get their own attempts. */
const PLACES_MAX = 100;
const DEVICE_BYTES = 16;

/** The origin of a request, as used to recognize places. */
export interface Origin {
  /** Null if unknown. */
  readonly address: string | null;
  /** The id in the browser's device cookie; null without a valid one. */
  readonly device: string | null;
}

/** A browser or network that has signed in to an account before, or has a session of it. */
export interface KnownPlace {
  readonly kind: "browser" | "network";
  readonly name: string;
}

/** Name and attributes of the device cookie: like better-auth's cookies, but limited to the paths of signing in. */
function cookieOf({ config }: Services) {
  const isSecure = config.publicUrl?.startsWith("https:") ?? false;
  const attributes = `Max-Age=${PLACE_DAYS * 24 * 60 * 60}; Path=/api/auth; HttpOnly; SameSite=Lax`;
  return {
    name: `${isSecure ? "__Secure-" : ""}waypost.device`,
    attributes: isSecure ? `${attributes}; Secure` : attributes,
  };
}

/** Returns the id in the browser's device cookie; null if there is none, or if its signature is wrong. */
export function deviceOf(services: Services, headers: Headers): string | null {
  const [device, signature] = cookieNamed(headers, cookieOf(services).name)?.split(".") ?? [];
  if (device === undefined || signature === undefined) return null;
  const [right, given] = [Buffer.from(signatureOf(services, device)), Buffer.from(signature)];
  return right.length === given.length && timingSafeEqual(right, given) ? device : null;
}

/** Returns the value of a cookie as sent; null if there is none. */
export function cookieNamed(headers: Headers, name: string): string | null {
  const prefix = `${name}=`;
  const found = headers
    .get("cookie")
    ?.split(";")
    .map((one) => one.trim())
    .find((one) => one.startsWith(prefix));
  return found?.slice(prefix.length) ?? null;
}

const signatureOf = ({ vault }: Services, device: string) => vault.derive(`sign-in device:${device}`);
const browserPlace = ({ vault }: Services, device: string) => vault.derive(`sign-in browser:${device}`);
const networkPlace = ({ vault }: Services, network: string) => vault.derive(`sign-in network:${network}`);

/**
 * Finds the place of a request among the account's known places; null for an unknown place, and for an account that
 * doesn't exist. Checks the browser first, because others may share its network.
 * @param sessionId the account's session, if the request has one.
 */
export async function findKnownPlace(
  services: Services,
  email: string,
  { address, device, sessionId }: Origin & { readonly sessionId: string | null },
): Promise<KnownPlace | null> {
  // Not by the device: anybody with an account of their own can get any number of device ids.
  if (sessionId !== null) return { kind: "browser", name: sessionId };
  const network = address === null ? null : networkOf(address);
  const browser = device === null ? null : browserPlace(services, device);
  const ofNetwork = network === null ? null : networkPlace(services, network);
  const asked = [browser, ofNetwork].filter((place) => place !== null);
  const [row] = await services.sql<{ places: string[]; addresses: (string | null)[] }[]>`
    select
      array(select place from sign_in_places where user_id = u.id and place = any(${asked}::text[])) as places,
      array(select ip_address from sessions
        where user_id = u.id and expires_at > pg_catalog.clock_timestamp() and ip_address is not null) as addresses
    from users u where lower(u.email) = ${email}`;
  if (!row) return null;
  if (device !== null && browser !== null && row.places.includes(browser))
    return { kind: "browser", name: device };
  if (network === null || ofNetwork === null) return null;
  const holdsSession = row.addresses.some((one) => one !== null && networkOf(one) === network);
  return holdsSession || row.places.includes(ofNetwork) ? { kind: "network", name: network } : null;
}

/**
 * Stores the browser and the network of a person who has signed in.
 * @returns the cookie for the response.
 */
export async function rememberPlace(
  services: Services,
  userId: string,
  { address, device }: Origin,
): Promise<string> {
  const id = device ?? randomBytes(DEVICE_BYTES).toString("base64url");
  const places = [browserPlace(services, id)];
  if (address !== null) places.push(networkPlace(services, networkOf(address)));
  await services.sql.begin(async (sql) => {
    await sql`
      insert into sign_in_places (user_id, place, last_used_at)
      select ${userId}::uuid, place, clock_timestamp() from unnest(${places.toSorted()}::text[]) place
      on conflict (user_id, place) do update set last_used_at = excluded.last_used_at`;
    await sql`
      delete from sign_in_places where (user_id, place) in (
        select user_id, place from sign_in_places where user_id = ${userId}::uuid
        order by last_used_at desc, place offset ${PLACES_MAX})`;
  });
  const { name, attributes } = cookieOf(services);
  return `${name}=${id}.${signatureOf(services, id)}; ${attributes}`;
}

/** Deletes a person's known places: somebody who knew the previous password is a stranger again. */
export async function forgetPlaces(tx: OrmTransaction, userId: string): Promise<void> {
  await tx.delete(signInPlaces).where(eq(signInPlaces.userId, userId));
}
