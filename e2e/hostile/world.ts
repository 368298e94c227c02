import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { openProcesses, type Processes } from "@/e2e/crash/world";
import type { Mount } from "@/e2e/conformance/scenario";
import { createKey, demo, connectChannel, type Demo } from "@/e2e/support/cli";
import { BASE_PATH } from "@/e2e/support/api";
import { createContract, type Contract } from "@/e2e/support/contract";
import { httpCall } from "@/e2e/support/http-call";

/** Enough that files are checked, and not refused because of the rate limit. */
const UPLOAD_KEYS = 6;
const UNLIMITED = { sendLimit: 1_000_000, readLimit: 1_000_000 } as const;
export const PHONE_NUMBER_ID = "100000000000001";
export const VERIFY_TOKEN = "hostile-verify-token";
const PROBE = pathToFileURL(join(import.meta.dirname, "memory-probe.mjs")).href;

/** A separate server, and the facts that a hostile client may know about it. */
export interface HostileWorld {
  readonly processes: Processes;
  readonly mount: Mount;
  readonly baseUrl: string;
  readonly contract: Contract;
  /** Its customer windows are open, also for numbers that never wrote. */
  readonly demo: Demo;
  /** An API key whose limit is never reached. */
  readonly secret: string;
  /** A key that may send and read once a minute. */
  /** Each may upload 60 files a minute. */
  readonly uploadSecrets: readonly string[];
  readonly limitedSecret: string;
  /** A channel without outbound messages, and the secret that signs its callbacks. */
  readonly callbackChannel: { readonly id: string; readonly appSecret: string };
  close(): Promise<void>;
}

/**
 * Starts the real program behind this mount. Its upstream is a separate process, so that memory is the server's alone.
 */
export async function openHostileWorld(mount: Mount): Promise<HostileWorld> {
  const env = { WAYPOST_PUBLIC_API_MOUNT: mount, NODE_OPTIONS: `--import ${PROBE}` };
  const processes = await openProcesses({ ownSimulator: true, env });
  try {
    const server = processes.server();
    const organization = await demo(server);
    const credentials = {
      access_token: randomBytes(16).toString("hex"),
      app_secret: randomBytes(16).toString("hex"),
    };
    const credentialsFile = join(processes.dataDir, "credentials.json");
    await writeFile(credentialsFile, JSON.stringify({ ...credentials, verify_token: VERIFY_TOKEN }), {
      mode: 0o600,
    });
    const [key, limited, uploading, channelId] = await Promise.all([
      createKey(server, organization.organization_id, UNLIMITED),
      createKey(server, organization.organization_id, { sendLimit: 1, readLimit: 1 }),
      Promise.all(
        Array.from({ length: UPLOAD_KEYS }, () => createKey(server, organization.organization_id, UNLIMITED)),
      ),
      connectChannel(server, organization.organization_id, {
        phoneNumberId: PHONE_NUMBER_ID,
        credentialsFile,
      }),
    ]);
    await processes.sql`
      update channels set unknown_window_open_until = clock_timestamp() + interval '1 day'
      where id = ${organization.channels.default}`;
    return {
      processes,
      mount,
      baseUrl: server.baseUrl,
      contract: createContract(await publishedDocument(server.baseUrl)),
      demo: organization,
      secret: key.secret,
      limitedSecret: limited.secret,
      uploadSecrets: uploading.map(({ secret }) => secret),
      callbackChannel: { id: channelId, appSecret: credentials.app_secret },
      close: () => processes.close(),
    };
  } catch (error) {
    await processes.close();
    throw error;
  }
}

async function publishedDocument(baseUrl: string): Promise<unknown> {
  const answer = await httpCall({ method: "GET", url: `${baseUrl}${BASE_PATH}/openapi.json`, headers: {} });
  return JSON.parse(answer.text);
}
