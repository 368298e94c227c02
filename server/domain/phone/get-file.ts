import { z } from "zod";
import { requireMemberCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { askSimulator, findPhone, phoneInput } from "./simulated-channel";

/** A page shows files up to this size. */
const FILE_BYTES_MAX = 16 * 1024 * 1024;

export const getPhoneFileInput = z.strictObject({
  ...phoneInput,
  /** WhatsApp's id of the file. */
  media: z.string().regex(/^[0-9]{1,32}$/),
});

export interface PhoneFile {
  /** As its sender said. */
  readonly mimeType: string;
  readonly base64: string;
}

/**
 * Returns the bytes of a file on the phone. Null if the simulator has it no more, or if it has more than 16 MiB.
 * @throws WaypostError `permission_denied` for keys; those of `findPhone` and `askSimulator`.
 */
export async function getPhoneFile(args: {
  ctx: Context;
  input: z.output<typeof getPhoneFileInput>;
}): Promise<PhoneFile | null> {
  const { ctx, input } = args;
  requireMemberCapability(ctx.actor, "messages.read");
  const { phoneNumberId } = await findPhone(ctx, input);
  const query = new URLSearchParams({ phone_number_id: phoneNumberId });
  const path = `/simulator/media/${input.media}?${query.toString()}`;
  const reply = await askSimulator(ctx, { method: "GET", path }, { bytesMax: FILE_BYTES_MAX });
  if (reply === null) return null;
  return {
    mimeType: reply.contentType ?? "application/octet-stream",
    base64: reply.bytes.toString("base64"),
  };
}
