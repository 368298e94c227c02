import type { ErrorCode } from "@/server/platform/errors";

/** What a refusal of `/api/auth` says. */
export class AuthRefusal extends Error {
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
 * Asks what only the session's cookie answers for: who somebody is. Guarantee of the cast: server/edge/auth/routes.ts answers
 * each of these paths by a schema of that shape.
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
    throw new AuthRefusal("unreachable", "The server can’t be reached. Check your connection.", null);
  }
  const told: unknown = await answer.json().catch(() => null);
  if (answer.ok) return told as Answers[P];
  throw refusalOf(told);
}

interface Envelope {
  readonly error: { readonly code: ErrorCode; readonly message: string; readonly field?: string };
}

function isEnvelope(told: unknown): told is Envelope {
  return typeof told === "object" && told !== null && "error" in told;
}

function refusalOf(told: unknown): AuthRefusal {
  if (!isEnvelope(told)) return new AuthRefusal("internal_error", "Something went wrong on our side.", null);
  const { code, message, field } = told.error;
  return new AuthRefusal(code, message, field ?? null);
}
