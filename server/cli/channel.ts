import type { Command } from "commander";
import { readFile } from "node:fs/promises";
import { text as readAll } from "node:stream/consumers";
import { z } from "zod";
import type { SystemActor } from "../api/actor";
import { connectChannel } from "../channels/connect";
import type { Context } from "../context";
import { syncTemplates } from "../templates/sync";
import { addChannelList } from "./channel-list";
import { addChannelResume } from "./channel-resume";
import { CommandError, parseId, type AddCommands, type Run } from "./command";
import { requireOrganization } from "./organization";

/** An operator waits. */
const TEMPLATES_TIMEOUT_MS = 5_000;

interface ConnectOptions {
  readonly org: string;
  readonly name: string;
  readonly phoneNumberId: string;
  readonly wabaId: string;
  readonly displayPhoneNumber: string;
  readonly credentials: string;
  readonly default?: boolean;
  readonly alreadyInUse?: boolean;
  readonly json?: boolean;
}

const credentialsSchema = z.strictObject({
  access_token: z.string(),
  app_secret: z.string(),
  verify_token: z.string(),
});
const CREDENTIALS_SHAPE = '{ "access_token": "…", "app_secret": "…", "verify_token": "…" }';

export const addChannelCommands: AddCommands = (program, run) => {
  const channel = program.command("channel").description("WhatsApp numbers of organizations");
  addChannelList(channel, run);
  addChannelConnect(channel, run);
  addChannelResume(channel, run);
};

function addChannelConnect(channel: Command, run: Run): void {
  channel
    .command("connect")
    .description("connect a number of Meta's WhatsApp Cloud API")
    .requiredOption("--org <id>", "organization the channel is for", parseId)
    .requiredOption("--name <name>", "1 to 100 characters")
    .requiredOption("--phone-number-id <id>", "Meta's id of the number")
    .requiredOption("--waba-id <id>", "Meta's id of the WhatsApp Business account")
    .requiredOption("--display-phone-number <number>", "the number as people write it")
    .requiredOption(
      "--credentials <file>",
      `file that holds ${CREDENTIALS_SHAPE}; - reads it from standard input`,
    )
    .option("--default", "use it where a message names no channel")
    .option("--already-in-use", "count unknown customer windows as open for 24 hours")
    .option("--json", "print JSON only")
    .action((options: ConnectOptions) =>
      run(async ({ services, baseUrl }) => {
        const ctx = await requireOrganization(services, options.org, "cli channel connect");
        const credentials = await readCredentials(options.credentials);
        const { channelId } = await connectChannel({
          ctx,
          input: {
            name: options.name,
            upstream: "meta",
            phoneNumberId: options.phoneNumberId,
            wabaId: options.wabaId,
            displayPhoneNumber: options.displayPhoneNumber,
            accessToken: credentials.access_token,
            appSecret: credentials.app_secret,
            verifyToken: credentials.verify_token,
            isDefault: options.default ?? false,
            alreadyInUse: options.alreadyInUse ?? false,
          },
        });
        const templates = await readTemplates(ctx, channelId);
        const callbackUrl = `${baseUrl}/api/upstream/whatsapp/${channelId}`;
        const text = `Channel ${channelId} is connected. ${templates}\nGive Meta this callback address, and the verify token:\n${callbackUrl}`;
        return { json: { id: channelId, callback_url: callbackUrl }, text };
      }, options),
    );
}

/** In words, what came of it: the channel is connected either way. */
async function readTemplates(ctx: Context<SystemActor>, channelId: string): Promise<string> {
  const synced = await syncTemplates({ ctx, input: { channelId, timeoutMs: TEMPLATES_TIMEOUT_MS } });
  if (synced.kind === "synced") return `Its account has ${synced.changed} message templates.`;
  return `Its message templates can't be read yet (${synced.reason}); they are asked for every ten minutes.`;
}

/** From a file, not from the command line: that one is visible to every process and kept in the shell's history. */
async function readCredentials(file: string): Promise<z.infer<typeof credentialsSchema>> {
  const text = file === "-" ? await readAll(process.stdin) : await readFile(file, "utf8").catch(unreadable);
  const parsed = credentialsSchema.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  throw new CommandError("credentials_malformed", `The credentials must be ${CREDENTIALS_SHAPE}.`);
}

function unreadable(error: NodeJS.ErrnoException): never {
  const cause = error.code ?? "unknown error";
  throw new CommandError("file_unreadable", `The file that --credentials names can't be read: ${cause}.`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
