import { z } from "zod";
import { upstreamOutcome } from "@/server/adapters/whatsapp/outcomes";
import { isPauseReason, PAUSE_REASONS, type PauseReason } from "@/server/adapters/whatsapp/pause-reasons";

export interface PauseExplanation {
  /** Why the channel is paused; null for a reason that only another version of Waypost knows. */
  readonly message: string | null;
  /** What to correct; also null for such a reason. */
  readonly remedy: string | null;
}

const TRIED_HOURLY = "Waypost tries one message per hour.";

/**
 * Explains a pause, identically for everybody: by WhatsApp's code if there is one, because one reason covers several
 * codes, else by the reason.
 */
export function explainPause(reason: string | null, upstreamCode: number | null): PauseExplanation {
  const known = reason !== null && isPauseReason(reason) ? PAUSE_REASONS[reason] : null;
  const outcome = upstreamCode === null ? null : upstreamOutcome(upstreamCode);
  const remedy = outcome?.nextStep ?? known?.remedy ?? null;
  return {
    message: outcome?.said ?? known?.message ?? null,
    remedy: remedy !== null && known?.probe === "message" ? `${remedy} ${TRIED_HOURLY}` : remedy,
  };
}

const detailSchema = z.object({ upstreamCode: z.number() });

/** Returns WhatsApp's code from the stored detail of a pause; null if it gave none. */
export function pauseCode(detail: unknown): number | null {
  return detailSchema.safeParse(detail).data?.upstreamCode ?? null;
}

const COMMANDS: Partial<Record<PauseReason, string>> = {
  credentials_invalid: "channel set CHANNEL_ID --credentials FILE",
};

/** Says what an operator has to correct, with the command for it, if there is one. */
export function operatorRemedy(
  reason: string | null,
  upstreamCode: number | null,
  channelId: string,
): string | null {
  const { remedy } = explainPause(reason, upstreamCode);
  const command = reason !== null && isPauseReason(reason) ? COMMANDS[reason] : undefined;
  return command === undefined ? remedy : `${remedy} Use \`${command.replace("CHANNEL_ID", channelId)}\`.`;
}
