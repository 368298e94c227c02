import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { z } from "zod";
import type { Delivered, VerifyingWorld } from "./world";

const MINUTE_MS = 60_000;

interface Case {
  readonly name: string;
  readonly secret: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly isGenuine: boolean;
}

/** Cases that a hand-written verification must distinguish. */
function casesOf({ headers, body, secrets }: Delivered): readonly Case[] {
  const [former, present] = secrets;
  const genuine = { secret: present, headers, body, isGenuine: true };
  const false_ = { ...genuine, isGenuine: false };
  const id = headers["webhook-id"] ?? "";
  const signatures = headers["webhook-signature"] ?? "";
  const at = (offsetMs: number) => {
    const time = new Date(Date.now() + offsetMs);
    const signature = new Webhook(present).sign(id, time, body);
    const timestamp = String(Math.floor(time.getTime() / 1000));
    return { ...headers, "webhook-timestamp": timestamp, "webhook-signature": signature };
  };
  const without = (name: string) =>
    Object.fromEntries(Object.entries(headers).filter(([one]) => one !== name));
  const withSignature = (value: string) => ({ ...headers, "webhook-signature": value });
  return [
    { ...genuine, name: "under the present secret" },
    { ...genuine, name: "under the former secret", secret: former },
    { ...genuine, name: "four minutes ago", headers: at(-4 * MINUTE_MS) },
    { ...genuine, name: "of a clock that is ahead", headers: at(4 * MINUTE_MS) },
    { ...false_, name: "under another secret", secret: `whsec_${Buffer.alloc(32, 7).toString("base64")}` },
    { ...false_, name: "another body", body: `${body} ` },
    { ...false_, name: "another id", headers: { ...headers, "webhook-id": `${id}0` } },
    { ...false_, name: "six minutes ago", headers: at(-6 * MINUTE_MS) },
    { ...false_, name: "in six minutes", headers: at(6 * MINUTE_MS) },
    { ...false_, name: "no id", headers: without("webhook-id") },
    { ...false_, name: "no time", headers: without("webhook-timestamp") },
    { ...false_, name: "no signature", headers: without("webhook-signature") },
    { ...false_, name: "a time that is none", headers: { ...headers, "webhook-timestamp": "²" } },
    { ...false_, name: "another version", headers: withSignature(signatures.replaceAll("v1,", "v2,")) },
    { ...false_, name: "half a signature", headers: withSignature(signatures.slice(0, 20)) },
    { ...false_, name: "a signature that is none", headers: withSignature("v1 v1, ü,") },
  ];
}

/**
 * Verifies each case; returns the names of those with the wrong result.
 * @param run prints the results for the cases in this file as a list of booleans.
 */
export async function misclassified(
  { directory, delivered }: VerifyingWorld,
  run: (file: string) => string,
): Promise<readonly string[]> {
  const file = join(directory, "cases.json");
  const cases = casesOf(delivered);
  await writeFile(file, JSON.stringify(cases));
  const verdicts = z.array(z.boolean()).parse(JSON.parse(run(file)));
  return cases.flatMap(({ name, isGenuine }, place) => (verdicts[place] === isGenuine ? [] : [name]));
}
