import path from "node:path";
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Services } from "@/server/core/context";
import type { MetricsMount, Readiness } from "@/server/transport/health";
import type { Repeated } from "@/server/core/queue/repeat";
import { type Config, TOKEN_LENGTH_MIN } from "@/server/platform/config";
import { ensureDataDirectory } from "@/server/platform/data-directory";
import { createOnce, isSystemError } from "@/server/platform/secrets/secret-file";
import { startScrape } from "./scrape";

const TOKEN_BYTES = 32;
const TOKEN_FILE = "metrics-token";

/**
 * Opens the `/metrics` path. If the token can't be read or created, every request is refused and the log says why; the
 * process keeps working.
 */
export async function openMetricsMount(options: {
  services: Services;
  readiness: () => Promise<Readiness>;
  postgresRestarts: () => number;
}): Promise<MetricsMount & Repeated> {
  const { services, readiness, postgresRestarts } = options;
  const [scrape, admits] = await Promise.all([
    startScrape({ services, readiness, postgresRestarts }),
    admission(services),
  ]);
  return { contentType: services.metrics.contentType, admits, text: scrape.text, stop: scrape.stop };
}

async function admission({ config, log }: Services): Promise<MetricsMount["admits"]> {
  try {
    return admitsBearer(await findMetricsToken(config));
  } catch (error) {
    log.error({ err: error }, "/metrics has no token: it rejects every request");
    return () => false;
  }
}

/**
 * Returns the token for reading `/metrics`: `WAYPOST_METRICS_TOKEN`, or else the file `metrics-token` of the data
 * directory (mode 0600), which is created from 256 random bits if there is none.
 * @throws Error if the file can't be read or created, or contains no token.
 */
export async function findMetricsToken({
  metricsToken,
  dataDir,
}: Pick<Config, "metricsToken" | "dataDir">): Promise<string> {
  if (metricsToken !== null) return metricsToken;
  const file = path.join(/* turbopackIgnore: true */ dataDir, TOKEN_FILE);
  const known = await readToken(file);
  if (known !== null) return known;
  await ensureDataDirectory(dataDir);
  await createOnce(file, randomBytes(TOKEN_BYTES).toString("base64url"));
  const token = await readToken(file);
  if (token === null) throw new Error(`${file} vanished while it was being made`);
  return token;
}

async function readToken(file: string): Promise<string | null> {
  try {
    const token = (await readFile(file, "utf8")).trim();
    if (token.length >= TOKEN_LENGTH_MIN) return token;
  } catch (error) {
    if (isSystemError(error, "ENOENT")) return null;
    throw error;
  }
  throw new Error(`${file} holds no token of at least ${TOKEN_LENGTH_MIN} characters: remove it`);
}

/** Checks whether a value of `Authorization` contains the token. The comparison takes constant time. */
export function admitsBearer(token: string): (authorization: string | undefined) => boolean {
  const expected = digest(token);
  return (authorization) => {
    const given = /^Bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
    return given !== undefined && timingSafeEqual(digest(given), expected);
  };
}

const digest = (text: string) => createHash("sha256").update(text).digest();
