import type { Command } from "commander";
import { z } from "zod";
import type { SystemActor } from "@/server/core/actor";
import { askAboutNumber } from "@/server/domain/channels/ask-about-number";
import { connectChannel } from "@/server/domain/channels/connect";
import { connectNumberInput } from "@/server/domain/channels/connect-number";
import type { Context } from "@/server/core/context";
import { parseInput } from "@/server/core/input/parse-input";
import { syncTemplates } from "@/server/domain/templates/sync";
import { unreachableForMeta } from "@/server/domain/channels/callback-address";
import { addChannelList } from "./channel-list";
import { addChannelResume } from "./channel-resume";
import { addChannelSet } from "./channel-set";
import { parseId, type AddCommands, type Run } from "./command";
import { readCredentials } from "./credentials";
import { requireOrganization } from "./organization";

/** Short, because an operator is waiting. */
const TEMPLATES_TIMEOUT_MS = 5_000;

interface ConnectOptions {
  readonly org: string;
  readonly name: string;
  readonly phoneNumberId: string;
  readonly wabaId: string;
  readonly displayPhoneNumber?: string;
  readonly credentials: string;
  readonly default?: boolean;
  readonly alreadyInUse?: boolean;
  readonly unchecked?: boolean;
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
  addChannelSet(channel, run);
  addChannelResume(channel, run);
};

function addChannelConnect(channel: Command, run: Run): void {
  channel
    .command("connect")
    .description("connect a number of Meta's WhatsApp Cloud API")
    .requiredOption("--org <id>", "organization of the channel", parseId)
    .requiredOption("--name <name>", "1 to 100 characters")
    .requiredOption("--phone-number-id <id>", "Meta's id of the number")
    .requiredOption("--waba-id <id>", "Meta's id of the WhatsApp Business account")
    .option("--display-phone-number <number>", "number as people write it, if Meta isn't asked")
    .requiredOption(
      "--credentials <file>",
      `file that holds ${CREDENTIALS_SHAPE}; - reads it from standard input`,
    )
    .option("--default", "use it for messages without a channel")
    .option("--already-in-use", "treat unknown customer service windows as open for 24 hours")
    .option("--unchecked", "save it without checking the credentials with Meta")
    .option("--json", "print JSON only")
    .action((options: ConnectOptions, command: Command) => {
      if (options.unchecked && options.displayPhoneNumber === undefined)
        command.error("error: '--unchecked' needs '--display-phone-number <number>'.");
      return run(async ({ services, baseUrl }) => {
        const ctx = await requireOrganization(services, options.org, "cli channel connect");
        const credentials = await readCredentials(options.credentials, credentialsSchema, CREDENTIALS_SHAPE);
        const channelId = await connect(ctx, options, credentials);
        const templates = await readTemplates(ctx, channelId);
        const callbackUrl = `${baseUrl}/api/upstream/whatsapp/${channelId}`;
        const remark = unreachableForMeta(services.config.publicUrl);
        const text = [
          `Channel ${channelId} was connected. ${templates}`,
          "Enter this callback URL and the verify token at Meta:",
          callbackUrl,
          ...(remark === null ? [] : [remark]),
        ];
        const json = { id: channelId, callback_url: callbackUrl, callback_url_is_public: remark === null };
        return { json, text: text.join("\n") };
      }, options);
    });
}

/** Connects the number after Meta has accepted its credentials, or without a check. @returns the channel's id. */
async function connect(
  ctx: Context<SystemActor>,
  options: ConnectOptions,
  credentials: z.output<typeof credentialsSchema>,
): Promise<string> {
  const { name, phoneNumberId, wabaId, displayPhoneNumber: given } = options;
  const input = parseInput(connectNumberInput, {
    name,
    phoneNumberId,
    wabaId,
    accessToken: credentials.access_token,
    appSecret: credentials.app_secret,
    verifyToken: credentials.verify_token,
    isDefault: options.default,
    alreadyInUse: options.alreadyInUse,
  });
  const displayPhoneNumber =
    options.unchecked && given !== undefined
      ? given
      : (await askAboutNumber(ctx.services, input)).displayPhoneNumber;
  const { verify_token: verifyToken } = credentials;
  const { channelId } = await connectChannel({
    ctx,
    input: { ...input, upstream: "meta", displayPhoneNumber, verifyToken },
  });
  return channelId;
}

/** Describes the result in words. The channel is connected in any case. */
async function readTemplates(ctx: Context<SystemActor>, channelId: string): Promise<string> {
  const synced = await syncTemplates({ ctx, input: { channelId, timeoutMs: TEMPLATES_TIMEOUT_MS } });
  if (synced.kind === "synced") return `Its account has ${synced.changed} message templates.`;
  return `Its message templates can't be read yet (${synced.reason}); Waypost retries every ten minutes.`;
}
