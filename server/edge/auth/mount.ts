import { eq } from "drizzle-orm";
import { z } from "zod";
import { newId, users } from "@/db/schema";
import type { Services } from "@/server/core/context";
import { pageErrorResponse } from "@/server/transport/page-error";
import { type ErrorCode, isWaypostError, WaypostError } from "@/server/platform/errors";
import { requireSameOrigin } from "@/server/transport/same-origin";
import { resetIdentifier } from "@/server/domain/members/reset-password";
import { requirePasswordIsOwn } from "@/server/domain/auth/user";
import { parseInput } from "@/server/core/input/parse-input";
import { parseJsonObject, readBody, streamOf } from "@/server/transport/body";
import { askBetterAuth } from "@/server/domain/auth/ask";
import { countAttempt, isFirstUse } from "@/server/domain/auth/attempts";
import { AUTH_PATH, authOf, ADDRESS_HEADER, LOCAL_ORIGIN } from "@/server/domain/auth/auth";
import {
  cookieNamed,
  deviceOf,
  findKnownPlace,
  type Origin,
  rememberPlace,
} from "@/server/domain/auth/places";
import { networkOf } from "@/server/domain/auth/network";
import { recordAccountAct } from "@/server/domain/auth/record";
import { ROUTES, type Route } from "./routes";
import { personOf } from "@/server/domain/auth/session";
import type { Person } from "@/server/core/actor";

const BODY_LIMITS = { bytesMax: 8 * 1024, timeoutMs: 10_000 } as const;

/**
 * The part of better-auth that browsers may use: the paths of `ROUTES`, from pages of this server, with rate limits.
 * Responses and errors have Waypost's format. A session's token is in its cookie and never in a body.
 */
export function authMount(services: Services) {
  return async (request: Request, address: string | null): Promise<Response> => {
    const requestId = newId();
    try {
      return await answer(services, request, address);
    } catch (error) {
      return pageErrorResponse(services, requestId, error);
    }
  };
}

async function answer(services: Services, request: Request, address: string | null): Promise<Response> {
  const path = new URL(request.url).pathname.slice(AUTH_PATH.length);
  const route: Route | undefined = ROUTES[path];
  if (!route) throw new WaypostError("not_found");
  if (request.method !== "POST") throw new WaypostError("method_not_allowed", { headers: { Allow: "POST" } });
  requireSameOrigin(request, services.config.publicUrl);
  const body = parseInput(route.input, parseJsonObject(await readBody(streamOf(request), BODY_LIMITS)));
  const origin = { address, device: deviceOf(services, request.headers) };
  const work = () => answerRoute(services, { route, path, request, body, origin });
  if (!route.isGuess) return work();
  const network = address === null ? null : networkOf(address);
  return services.passwords.admit({ network, isKnownBrowser: origin.device !== null }, work);
}

async function answerRoute(services: Services, parsed: Parsed): Promise<Response> {
  const { route, request, body, origin } = parsed;
  const person = await personOf(services, request.headers, origin.address);
  if (route.needsSession && person === null) throw new WaypostError("not_signed_in");
  const asked: Asked = { ...parsed, person };
  const refund = route.isGuess ? await countGuess(services, asked) : null;
  const holder = route.setsPasswordOf === "link" ? await holderOfLink(services, body.token) : null;
  await requireOwnPassword(asked, holder, refund);
  const response = await ask(services, asked, refund);
  if (!response.ok) throw await errorOf(route, response);
  const answered: unknown = await response.json();
  if (route.isOneTime) await requireFirstUse(services, asked, answered);
  await refund?.();
  await record(services, asked, answered);
  const headers = new Headers({ "Content-Type": "application/json", "Cache-Control": "no-store" });
  for (const cookie of response.headers.getSetCookie()) headers.append("Set-Cookie", cookie);
  const userId = newSession.safeParse(answered).data?.user.id ?? holder?.id;
  const device = userId === undefined ? null : await remember(services, userId, origin);
  if (device !== null) headers.append("Set-Cookie", device);
  return new Response(JSON.stringify(route.output.parse(answered)), { headers });
}

/**
 * Returns the cookie of a known browser. Null if it can't be stored now; the request itself succeeds in either case.
 */
async function remember(services: Services, userId: string, origin: Origin): Promise<string | null> {
  try {
    return await rememberPlace(services, userId, origin);
  } catch (error) {
    services.log.warn({ err: error }, "storing the browser of a sign-in failed");
    return null;
  }
}

/** A request to a route, with its parsed body and its origin. */
interface Parsed {
  readonly route: Route;
  readonly path: string;
  readonly request: Request;
  readonly body: Readonly<Record<string, unknown>>;
  readonly origin: Origin;
}

/** A parsed request, with the person of its session. */
interface Asked extends Parsed {
  readonly person: Person | null;
}

type Refund = (() => Promise<void>) | null;

/** Counts a guess against the account that it is about. @throws WaypostError `too_many_attempts`. */
async function countGuess(services: Services, { route, request, body, person, origin }: Asked) {
  const account =
    typeof body.email === "string"
      ? body.email
      : (person?.email ?? (route.isSecondFactor ? await emailOfBegun(services, request.headers) : null));
  const sessionId = person !== null && person.email === account ? person.sessionId : null;
  const place = account === null ? null : await findKnownPlace(services, account, { ...origin, sessionId });
  const secret = route.isSecondFactor ? "secondFactor" : "account";
  return countAttempt(services, { address: origin.address, account, place, secret });
}

/**
 * Returns the address of the account whose sign-in waits for its second factor in this browser. Null if there is none.
 */
async function emailOfBegun(services: Services, headers: Headers): Promise<string | null> {
  const { createAuthCookie } = await authOf(services).$context;
  const cookie = cookieNamed(headers, createAuthCookie(SECOND_FACTOR_COOKIE).name);
  if (cookie === null) return null;
  // The name is followed by its signature, which better-auth checks. Names can't be guessed.
  const [name = ""] = cookie.split(".");
  return (await userOfVerification(services, name))?.email ?? null;
}

/** better-auth's name of the cookie of a sign-in that waits for its second factor. */
const SECOND_FACTOR_COOKIE = "two_factor";

/** Refuses a new password that contains the address of its account. This refusal reveals nothing to a guesser. */
async function requireOwnPassword(
  { route, body, person }: Asked,
  holder: Holder | null,
  refund: Refund,
): Promise<void> {
  const { newPassword: password } = body;
  if (route.setsPasswordOf === undefined || typeof password !== "string") return;
  const email = (route.setsPasswordOf === "session" ? person : holder)?.email;
  if (email === undefined) return;
  try {
    requirePasswordIsOwn({ email, password }, "newPassword");
  } catch (error) {
    await refund?.();
    throw error;
  }
}

interface Holder {
  readonly id: string;
  readonly email: string;
}

/** Returns null for an invalid link, which better-auth refuses. */
const holderOfLink = (services: Services, token: unknown): Promise<Holder | null> =>
  userOfVerification(services, resetIdentifier(String(token)));

/** Returns the user of a better-auth verification. Null if it is unknown. */
async function userOfVerification(services: Services, identifier: string): Promise<Holder | null> {
  const { internalAdapter } = await authOf(services).$context;
  const found = await internalAdapter.findVerificationValue(identifier);
  if (!found) return null;
  const [user] = await services.orm
    .select({ id: users.id, email: users.email })
    .from(users)
    .where(eq(users.id, found.value));
  return user ?? null;
}

/**
 * Returns better-auth's response. If there is none because the server is busy, the attempt doesn't count as a guess.
 */
async function ask(
  services: Services,
  { request, path, body, origin: { address } }: Asked,
  refund: Refund,
): Promise<Response> {
  const headers = new Headers({ "Content-Type": "application/json" });
  for (const name of ["cookie", "user-agent"]) {
    const value = request.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  if (address !== null) headers.set(ADDRESS_HEADER, address);
  const base = services.config.publicUrl ?? LOCAL_ORIGIN;
  const url = new URL(AUTH_PATH + path, base);
  const asked = new Request(url, { method: "POST", headers, body: JSON.stringify(body) });
  try {
    return await askBetterAuth(() => authOf(services).handler(asked));
  } catch (error) {
    if (isWaypostError(error) && error.code === "unavailable") await refund?.();
    throw error;
  }
}

const newSession = z.object({ token: z.string(), user: z.object({ id: z.string() }) });

/**
 * RFC 6238, 5.2: an accepted code must not sign in a second time, even if it was used to turn two-factor sign-in on.
 * better-auth has already started the session, so it is ended.
 */
async function requireFirstUse(
  services: Services,
  { person, body }: Asked,
  answered: unknown,
): Promise<void> {
  const code = String(body.code);
  if (person !== null) {
    await isFirstUse(services, { account: person.userId, code });
    return;
  }
  const { token, user } = newSession.parse(answered);
  if (await isFirstUse(services, { account: user.id, code })) return;
  await services.sql`delete from sessions where token = ${token}`;
  throw new WaypostError("second_factor_wrong");
}

const answerWithUser = z.object({ user: z.object({ id: z.string() }) });

async function record(
  services: Services,
  { route, person, origin: { address } }: Asked,
  answered: unknown,
): Promise<void> {
  if (route.act === null) return;
  const isSignedIn = person !== null;
  const action =
    typeof route.act === "string" ? route.act : isSignedIn ? route.act.signedIn : route.act.signingIn;
  // A code that is checked a second time turns nothing on.
  if (action === "member.two_factor_enabled" && person?.hasTwoFactor) return;
  const userId = answerWithUser.safeParse(answered).data?.user.id ?? person?.userId;
  if (userId !== undefined) await recordAccountAct(services, { userId, address, action });
}

const refusalBody = z.object({ code: z.string() });

async function errorOf(route: Route, given: Response): Promise<WaypostError> {
  const error = refusalBody.safeParse(await given.json().catch(() => null));
  const name = error.success ? error.data.code : String(given.status);
  const code = route.refusals[name] ?? COMMON_REFUSALS[name];
  if (code) return new WaypostError(code);
  return new WaypostError("internal_error", { cause: `better-auth answered ${given.status} ${name}` });
}

const COMMON_REFUSALS: Readonly<Record<string, ErrorCode>> = {
  UNAUTHORIZED: "not_signed_in",
  SESSION_EXPIRED: "not_signed_in",
  SESSION_NOT_FRESH: "not_signed_in",
};
