import type { Command } from "commander";
import { z } from "zod";
import { type ChannelSet, setChannel } from "@/server/domain/channels/set";
import { parseId, type Run } from "./command";
import { readCredentials } from "./credentials";
import { requireChannel } from "./require-channel";

const credentialsSchema = z
  .strictObject({ access_token: z.string(), app_secret: z.string(), verify_token: z.string() })
  .partial();
const CREDENTIALS_SHAPE = 'one or more of { "access_token": "…", "app_secret": "…", "verify_token": "…" }';

interface SetOptions {
  readonly name?: string;
  readonly credentials?: string;
  readonly json?: boolean;
}

export function addChannelSet(channel: Command, run: Run): void {
  channel
    .command("set")
    .description("set a channel's name and credentials, such as an access token in place of an expired one")
    .argument("<id>", "id of the channel", parseId)
    .option("--name <name>", "1 to 100 characters")
    .option("--credentials <file>", `file that holds ${CREDENTIALS_SHAPE}; - reads it from standard input`)
    .option("--json", "print JSON only")
    .action((channelId: string, options: SetOptions, command: Command) => {
      const { name, credentials: file } = options;
      if (name === undefined && file === undefined)
        command.error("error: what to set? Expected '--name <name>' or '--credentials <file>'.");
      return run(async ({ services }) => {
        const ctx = await requireChannel(services, channelId, "cli channel set");
        const given =
          file === undefined ? {} : await readCredentials(file, credentialsSchema, CREDENTIALS_SHAPE);
        const set = await setChannel({
          ctx,
          input: {
            channelId,
            name,
            accessToken: given.access_token,
            appSecret: given.app_secret,
            verifyToken: given.verify_token,
          },
        });
        const json = { id: channelId, token: set.token?.kind ?? null, was_paused_for: set.endedPause };
        return { json, text: wordsOf(channelId, set) };
      }, options);
    });
}

function wordsOf(channelId: string, { token, endedPause }: ChannelSet): string {
  const lines = [`Channel ${channelId} is set.`];
  if (token?.kind === "works") lines.push("The new access token works: the number can be read with it.");
  if (token?.kind === "untried") {
    lines.push(`The new access token is saved, and couldn't be tried: ${token.reason}. \`doctor\` tries it.`);
  }
  if (endedPause !== null) lines.push(`The channel sends again; it was paused for ${endedPause}.`);
  return lines.join("\n");
}
