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
    .description("change a channel's name or credentials, for example to replace an expired access token")
    .argument("<id>", "id of the channel", parseId)
    .option("--name <name>", "1 to 100 characters")
    .option("--credentials <file>", `file that holds ${CREDENTIALS_SHAPE}; - reads it from standard input`)
    .option("--json", "print JSON only")
    .action((channelId: string, options: SetOptions, command: Command) => {
      const { name, credentials: file } = options;
      if (name === undefined && file === undefined)
        command.error("error: nothing to change. Expected '--name <name>' or '--credentials <file>'.");
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
  const lines = [`Channel ${channelId} was changed.`];
  if (token?.kind === "works") lines.push("The new access token works: it can read the number.");
  if (token?.kind === "untried") {
    lines.push(
      `The new access token was saved but couldn't be tested: ${token.reason}. Test it with \`doctor\`.`,
    );
  }
  if (endedPause !== null) lines.push(`The channel sends again. It was paused because of ${endedPause}.`);
  return lines.join("\n");
}
