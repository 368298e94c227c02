import type { ErrorCode } from "@/server/platform/errors";

/** An error response of `/api/auth`. */
export class AuthError extends Error {
  constructor(
    readonly code: ErrorCode | "unreachable",
    message: string,
    readonly field: string | null,
  ) {
    super(message);
    this.name = "AuthRefusal";
  }
}

interface Answers {
  "/sign-in/email": { needsSecondFactor: boolean };
  "/two-factor/verify-totp": object;
  "/two-factor/verify-backup-code": object;
  "/two-factor/enable": { totpUri: string; recoveryCodes: string[] };
  "/two-factor/disable": object;
  "/two-factor/generate-backup-codes": { recoveryCodes: string[] };
  "/change-password": object;
  "/reset-password": object;
  "/sign-out": object;
}

/**
 * Calls `/api/auth`, which identifies the user by the session cookie alone. Guarantee of the cast:
 * server/edge/auth/routes.ts responds to each of these paths with a schema of that shape.
 * @throws AuthRefusal
 */
export async function askAuth<P extends keyof Answers>(path: P, body: object): Promise<Answers[P]> {
  let answer: Response;
  try {
    answer = await fetch(`/api/auth${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
  } catch {
    throw new AuthError("unreachable", "The server can’t be reached. Check your connection.", null);
  }
  const json: unknown = await answer.json().catch(() => null);
  if (answer.ok) return json as Answers[P];
  throw toAuthError(json);
}

interface Envelope {
  readonly error: { readonly code: ErrorCode; readonly message: string; readonly field?: string };
}

function isEnvelope(json: unknown): json is Envelope {
  return typeof json === "object" && json !== null && "error" in json;
}

function toAuthError(json: unknown): AuthError {
  if (!isEnvelope(json)) return new AuthError("internal_error", "Something went wrong on our side.", null);
  const { code, message, field } = json.error;
  return new AuthError(code, message, field ?? null);
}

/** Ends this browser's session, and shows the sign-in page. */
export async function signOut(): Promise<void> {
  await askAuth("/sign-out", {}).catch(() => undefined);
  window.location.assign("/sign-in");
}
