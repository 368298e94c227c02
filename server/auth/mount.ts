import { eq } from "drizzle-orm";
import { z } from "zod";
import { newId, users } from "@/db/schema";
import type { Services } from "../context";
import { refusal } from "../http/refusal";
import { type ErrorCode, WaypostError } from "../errors";
import { requireSameOrigin } from "../http/same-origin";
import { streamOf } from "../http/stream";
import { resetIdentifier } from "../members/reset-password";
import { requirePasswordIsOwn } from "../members/user";
import { parseInput } from "../parse-input";
import { parseJsonObject, readBody } from "../public-api/body";
import { askBetterAuth } from "./ask";
import { countAttempt, isFirstUse } from "./attempts";
import { AUTH_PATH, authOf, ADDRESS_HEADER, LOCAL_ORIGIN } from "./auth";
import { recordAccountAct } from "./record";
import { ROUTES, type Route } from "./routes";
import { type Person, personOf } from "./session";

const BODY_LIMITS = { bytesMax: 8 * 1024, timeoutMs: 10_000 } as const;

/**
 * What browsers may ask of better-auth: the paths of `ROUTES`, from pages of this server, and a limited number of times.
 * Answers and refusals have the forms of Waypost; a session's token is in its cookie and in no body.
 */
export function authMount(services: Services) {
  return async (request: Request, address: string | null): Promise<Response> => {
    const requestId = newId();
    try {
      return await answer(services, request, address);
    } catch (error) {
      return refusal(services, requestId, error);
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
  const person = await personOf(services, request.headers, address);
  if (route.needsSession && person === null) throw new WaypostError("not_signed_in");
  const account = typeof body.email === "string" ? body.email : (person?.email ?? null);
  const takeBack = route.isGuess ? await countAttempt(services, { address, account }) : null;
  await requireOwnPassword(services, { route, body, person }, takeBack);
  const given = await ask(services, { request, path, body, address });
  if (!given.ok) throw await refusalOf(route, given);
  const answered: unknown = await given.json();
  if (route.isOneTime && person === null) await requireFirstUse(services, answered, body.code);
  await takeBack?.();
  await record(services, { route, person, address, answered });
  const headers = new Headers({ "Content-Type": "application/json", "Cache-Control": "no-store" });
  for (const cookie of given.headers.getSetCookie()) headers.append("Set-Cookie", cookie);
  return new Response(JSON.stringify(route.output.parse(answered)), { headers });
}

/** Refuses a new password that says the address of its account. Whoever is told so has guessed nothing. */
async function requireOwnPassword(
  services: Services,
  { route, body, person }: { route: Route; body: Readonly<Record<string, unknown>>; person: Person | null },
  takeBack: (() => Promise<void>) | null,
): Promise<void> {
  const { newPassword: password, token } = body;
  if (route.setsPasswordOf === undefined || typeof password !== "string") return;
  const email = route.setsPasswordOf === "session" ? person?.email : await emailOfLink(services, token);
  if (email === undefined) return;
  try {
    requirePasswordIsOwn({ email, password }, "newPassword");
  } catch (error) {
    await takeBack?.();
    throw error;
  }
}

/** Undefined for a link that doesn't work, which better-auth refuses. */
async function emailOfLink(services: Services, token: unknown): Promise<string | undefined> {
  const { internalAdapter } = await authOf(services).$context;
  const found = await internalAdapter.findVerificationValue(resetIdentifier(String(token)));
  if (!found) return undefined;
  const [user] = await services.orm
    .select({ email: users.email })
    .from(users)
    .where(eq(users.id, found.value));
  return user?.email;
}

async function ask(
  services: Services,
  { request, path, body, address }: { request: Request; path: string; body: object; address: string | null },
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
  return askBetterAuth(() => authOf(services).handler(asked));
}

const newSession = z.object({ token: z.string(), user: z.object({ id: z.string() }) });

/**
 * RFC 6238, 5.2: a code that was accepted once signs nobody in again. better-auth has begun the session by then, so it is
 * ended.
 */
async function requireFirstUse(services: Services, answered: unknown, code: unknown): Promise<void> {
  const { token, user } = newSession.parse(answered);
  if (await isFirstUse(services, { account: user.id, code: String(code) })) return;
  await services.sql`delete from sessions where token = ${token}`;
  throw new WaypostError("second_factor_wrong");
}

const answerWithUser = z.object({ user: z.object({ id: z.string() }) });

async function record(
  services: Services,
  done: { route: Route; person: Person | null; address: string | null; answered: unknown },
): Promise<void> {
  const { route, person, address, answered } = done;
  if (route.act === null) return;
  const isSignedIn = person !== null;
  const action =
    typeof route.act === "string" ? route.act : isSignedIn ? route.act.signedIn : route.act.signingIn;
  // A code that is checked once more turns nothing on.
  if (action === "member.two_factor_enabled" && person?.hasTwoFactor) return;
  const userId = answerWithUser.safeParse(answered).data?.user.id ?? person?.userId;
  if (userId !== undefined) await recordAccountAct(services, { userId, address, action });
}

const refusalBody = z.object({ code: z.string() });

async function refusalOf(route: Route, given: Response): Promise<WaypostError> {
  const refusal = refusalBody.safeParse(await given.json().catch(() => null));
  const name = refusal.success ? refusal.data.code : String(given.status);
  const code = route.refusals[name] ?? COMMON_REFUSALS[name];
  if (code) return new WaypostError(code);
  return new WaypostError("internal_error", { cause: `better-auth answered ${given.status} ${name}` });
}

const COMMON_REFUSALS: Readonly<Record<string, ErrorCode>> = {
  UNAUTHORIZED: "not_signed_in",
  SESSION_EXPIRED: "not_signed_in",
  SESSION_NOT_FRESH: "not_signed_in",
};
