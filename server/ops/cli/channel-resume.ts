import type { Command } from "commander";
import { resumeChannel } from "@/server/domain/channels/resume";
import { parseId, type Run } from "./command";
import { requireChannel } from "./require-channel";

export function addChannelResume(channel: Command, run: Run): void {
  channel
    .command("resume")
    .description("end a channel's pause after the problem is fixed, and send its waiting messages")
    .argument("<id>", "id of the channel", parseId)
    .option("--json", "print JSON only")
    .action((channelId: string, options: { json?: boolean }) =>
      run(async ({ services }) => {
        const ctx = await requireChannel(services, channelId, "cli channel resume");
        const pauseReason = await resumeChannel({ ctx, input: { channelId } });
        const text =
          pauseReason === null
            ? `Channel ${channelId} isn't paused.`
            : `Channel ${channelId} sends again. It was paused because of ${pauseReason}. If the problem still exists, the next message pauses it again.`;
        return { json: { id: channelId, was_paused_for: pauseReason }, text };
      }, options),
    );
}
