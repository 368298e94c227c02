import type { Command } from "commander";
import { resumeChannel } from "@/server/domain/channels/resume";
import { parseId, type Run } from "./command";
import { requireChannel } from "./require-channel";

export function addChannelResume(channel: Command, run: Run): void {
  channel
    .command("resume")
    .description("end a channel's pause, once its cause is mended: what waits is sent")
    .argument("<id>", "id of the channel", parseId)
    .option("--json", "print JSON only")
    .action((channelId: string, options: { json?: boolean }) =>
      run(async ({ services }) => {
        const ctx = await requireChannel(services, channelId, "cli channel resume");
        const pauseReason = await resumeChannel({ ctx, input: { channelId } });
        const text =
          pauseReason === null
            ? `Channel ${channelId} isn't paused.`
            : `Channel ${channelId} sends again; it was paused for ${pauseReason}. If the cause stands, the next message pauses it anew.`;
        return { json: { id: channelId, was_paused_for: pauseReason }, text };
      }, options),
    );
}
