import { randomBytes, randomInt } from "node:crypto";
import { createDataDirectory, removeDataDirectory } from "@/e2e/support/data-directory";
import { createLogger } from "@/server/platform/log";
import { startSimulator } from "@/server/simulator/start";
import { limitMs } from "./machine-speed";

/** A number in Meta's records, with the credentials of its app. */
export interface MetaNumber {
  readonly phoneNumberId: string;
  readonly wabaId: string;
  readonly displayPhoneNumber: string;
  readonly accessToken: string;
  readonly appSecret: string;
}

/** Settings of a number's app and token at Meta, as the simulator takes them. */
interface MetaSettings {
  readonly permissions?: readonly string[];
  /** In seconds since 1970. */
  readonly token_expires_at?: number;
  readonly app_subscribed?: boolean;
}

/** The simulator in place of Meta. */
export interface Meta {
  /** Adds a number that nobody has connected. */
  addNumber(settings?: MetaSettings): Promise<MetaNumber>;
  /** Gives a number a different access token and app secret; the previous ones are rejected. */
  renewCredentials(number: MetaNumber): Promise<MetaNumber>;
  /** The callback settings at Meta. Meta verifies the URL before the first callback. */
  enterCallback(number: MetaNumber, callback: { url: string; verifyToken: string }): Promise<void>;
}

const NOWHERE = { url: "http://127.0.0.1:9/", verifyToken: "none so far" };
const TIMEOUT_MS = limitMs(60_000);

/** Starts a simulator in place of Meta; its URL is the server's `WAYPOST_GRAPH_URL`. */
export async function startMeta(): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const directory = await createDataDirectory();
  const log = createLogger({ level: "warn" });
  const { url, stop } = await startSimulator({ directory: `${directory}/meta`, port: 0, log });
  return {
    url,
    async stop() {
      await stop();
      await removeDataDirectory(directory);
    },
  };
}

const newCredentials = () => ({
  accessToken: `EAA${randomBytes(60).toString("hex")}`,
  appSecret: randomBytes(16).toString("hex"),
});

/** Returns the one at this URL. */
export function metaAt(url: string): Meta {
  const enterCallback: Meta["enterCallback"] = (number, callback) => putNumber(url, number, callback, {});
  return {
    enterCallback,
    async addNumber(settings = {}) {
      const number = {
        phoneNumberId: String(randomInt(10 ** 13, 10 ** 14)),
        wabaId: String(randomInt(10 ** 13, 10 ** 14)),
        displayPhoneNumber: `+1 555 ${randomInt(1_000_000, 9_999_999)}`,
        ...newCredentials(),
      };
      await putNumber(url, number, NOWHERE, settings);
      return number;
    },
    async renewCredentials(number) {
      const renewed = { ...number, ...newCredentials() };
      await enterCallback(renewed, NOWHERE);
      return renewed;
    },
  };
}

async function putNumber(
  simulatorUrl: string,
  { phoneNumberId, wabaId, displayPhoneNumber, accessToken, appSecret }: MetaNumber,
  { url, verifyToken }: { url: string; verifyToken: string },
  settings: MetaSettings,
): Promise<void> {
  const number = {
    ...settings,
    phone_number_id: phoneNumberId,
    waba_id: wabaId,
    display_phone_number: displayPhoneNumber,
    access_token: accessToken,
    app_secret: appSecret,
    callback_url: url,
    verify_token: verifyToken,
  };
  const response = await fetch(`${simulatorUrl}/simulator/numbers`, {
    method: "PUT",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ numbers: [number] }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (response.status !== 200) throw new Error(`The simulator answered ${await response.text()}`);
}
