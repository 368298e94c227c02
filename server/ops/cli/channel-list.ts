import type { Command } from "commander";
import { explainPause, operatorRemedy, pauseCode } from "@/server/domain/channels/explain-pause";
import { channelsOf } from "./claim";
import { parseId, table, type Run } from "./command";
import { requireOrganization } from "./organization";

export function addChannelList(channel: Command, run: Run): void {
  channel
    .command("list")
    .description("list an organization's channels and the reasons for pauses, without credentials")
    .requiredOption("--org <id>", "organization of the channels", parseId)
    .option("--json", "print JSON only")
    .action((options: { org: string; json?: boolean }) =>
      run(async ({ services }) => {
        await requireOrganization(services, options.org, "cli channel list");
        const found = await channelsOf(services.orm, options.org);
        const text = [table(HEADINGS, found.map(asRow)), ...found.flatMap(pauseOf)];
        return { json: found.map(asJson), text: text.join("\n\n") };
      }, options),
    );
}

type Channel = Awaited<ReturnType<typeof channelsOf>>[number];

function stateOf({ disabledAt, pausedAt }: Channel): "active" | "paused" | "disabled" {
  if (disabledAt !== null) return "disabled";
  return pausedAt === null ? "active" : "paused";
}

function asJson(channel: Channel) {
  return {
    id: channel.id,
    name: channel.name,
    upstream: channel.upstream,
    phone_number_id: channel.phoneNumberId,
    display_phone_number: channel.displayPhoneNumber,
    is_default: channel.isDefault,
    state: stateOf(channel),
    paused_at: channel.pausedAt,
    pause_reason: channel.pauseReason,
    pause_detail: channel.pauseDetail,
  };
}

const HEADINGS = ["ID", "NAME", "UPSTREAM", "PHONE NUMBER ID", "NUMBER", "DEFAULT", "STATE"];

function asRow(channel: Channel): string[] {
  return [
    channel.id,
    channel.name,
    channel.upstream,
    channel.phoneNumberId,
    channel.displayPhoneNumber,
    channel.isDefault ? "yes" : "no",
    stateOf(channel),
  ];
}

/** Explains in a paragraph why a channel sends nothing and what to do. Empty if it isn't paused. */
function pauseOf(channel: Channel): string[] {
  const { id, pausedAt, pauseReason, pauseDetail } = channel;
  if (pausedAt === null || pauseReason === null) return [];
  const code = pauseCode(pauseDetail);
  const words = typeof pauseDetail?.reason === "string" ? `WhatsApp says: ${pauseDetail.reason}` : null;
  const lines = [
    `${id} has been paused since ${pausedAt.toISOString()} (${pauseReason}). Its messages are waiting.`,
    explainPause(pauseReason, code).message,
    words,
    operatorRemedy(pauseReason, code, id),
    `Waypost resumes the channel automatically when the problem is fixed. \`channel resume ${id}\` ends the pause immediately.`,
  ];
  return [lines.filter((line) => line !== null).join("\n  ")];
}
