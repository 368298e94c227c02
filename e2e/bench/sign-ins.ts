import { setTimeout as pause } from "node:timers/promises";
import { Agent, request } from "undici";
import { SCRYPT_PASSWORDS } from "@/server/platform/secrets/passwords";

/** That many at an even pace, independent of their duration. */
interface Paced {
  readonly count: number;
  readonly seconds: number;
}

export type PasswordJob =
  /** Anonymous sign-ins at a server: each with its own account and network, and a wrong password. */
  | (Paced & { readonly kind: "sign-ins"; readonly baseUrl: string })
  /** The hashing of as many sign-ins, in the worker itself. */
  | (Paced & { readonly kind: "hashing" });

/** Responses by status; 0 for no response, and for local hashing. */
export type PasswordResult = Readonly<Record<string, number>>;

const CONNECTIONS = 20;
const TIMEOUT_MS = 20_000;
let made = 0;

/** Puts the sign-in load on a server, or the same hashing on the processor alone. */
export async function loadPasswords(job: PasswordJob): Promise<PasswordResult> {
  const agent = new Agent({ connections: CONNECTIONS, headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS });
  const one = job.kind === "sign-ins" ? () => signIn(job.baseUrl, agent) : hashOnce;
  const statuses: Record<string, number> = {};
  const startedAtMs = performance.now();
  try {
    await Promise.all(
      Array.from({ length: job.count }, async (_, index) => {
        await pause(Math.max(0, startedAtMs + (index * 1000 * job.seconds) / job.count - performance.now()));
        const status = await one().catch(() => 0);
        statuses[status] = (statuses[status] ?? 0) + 1;
      }),
    );
  } finally {
    await agent.close();
  }
  return statuses;
}

async function signIn(baseUrl: string, dispatcher: Agent): Promise<number> {
  made += 1;
  const { statusCode, body } = await request(`${baseUrl}/api/auth/sign-in/email`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      origin: baseUrl,
      "x-forwarded-for": `10.${(made >> 16) & 255}.${(made >> 8) & 255}.${made & 255}`,
    },
    body: JSON.stringify({ email: `nobody-${made}@example.com`, password: "not the password" }),
    dispatcher,
  });
  await body.dump();
  return statusCode;
}

async function hashOnce(): Promise<number> {
  await SCRYPT_PASSWORDS.hash("not the password");
  return 0;
}
