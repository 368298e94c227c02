import { z } from "zod";
import { requireMemberCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { askSimulator, findPhone, parseReply, phoneInput } from "./simulated-channel";

export const getPhoneInput = z.strictObject({
  ...phoneInput,
  /** The `cursor` of an earlier view: only what has changed since then is returned. */
  after: z.string().max(100).nullable().default(null),
});

const mediaSchema = z.object({
  kind: z.string(),
  id: z.string().optional(),
  link: z.string().optional(),
  mime_type: z.string().optional(),
  filename: z.string().optional(),
  is_voice: z.boolean().optional(),
});

const partsSchema = z.object({
  header: z.string().optional(),
  media: mediaSchema.optional(),
  text: z.string().optional(),
  footer: z.string().optional(),
  buttons: z
    .array(
      z.object({
        kind: z.enum(["reply", "location", "url", "call", "copy", "other"]).catch("other"),
        title: z.string(),
        answer: z.enum(["button", "button_reply"]).optional(),
        id: z.string().optional(),
        value: z.string().optional(),
      }),
    )
    .optional(),
  list: z
    .object({
      button: z.string(),
      sections: z.array(
        z.object({
          title: z.string().optional(),
          rows: z.array(z.object({ id: z.string(), title: z.string(), description: z.string().optional() })),
        }),
      ),
    })
    .optional(),
  location: z
    .object({
      latitude: z.number(),
      longitude: z.number(),
      name: z.string().optional(),
      address: z.string().optional(),
    })
    .optional(),
  contacts: z.array(z.object({ name: z.string(), phones: z.array(z.string()) })).optional(),
});

const messageSchema = z.object({
  /** The wamid of a message. */
  id: z.string(),
  from: z.enum(["business", "customer", "note"]),
  at: z.string(),
  type: z.string(),
  bubble: partsSchema.extend({ cards: z.array(partsSchema).optional() }),
  quotes: z.string().nullable(),
  state: z.enum(["sent", "accepted", "delivered", "read", "failed"]),
  error: z.object({ code: z.number(), title: z.string() }).nullable(),
  reactions: z.object({ business: z.string().nullable(), customer: z.string().nullable() }),
  new_number: z.string().optional(),
});

const phoneSchema = z.object({
  business: z.object({ display_phone_number: z.string() }),
  customer: z.string(),
  cursor: z.string(),
  is_whole: z.boolean(),
  is_cut: z.boolean(),
  is_typing: z.boolean(),
  messages: z.array(messageSchema),
  next_outcome: z.string().nullable(),
  next_outcomes: z.array(z.object({ name: z.string(), description: z.string() })),
  camera_roll: z.array(
    z.object({
      name: z.string(),
      type: z.enum(["image", "sticker", "audio", "video", "document"]),
      title: z.string(),
      mime_type: z.string(),
      filename: z.string().optional(),
    }),
  ),
});

/** What a simulated customer's phone shows of its messages with a channel, in the simulator's words. */
export type PhoneView = z.output<typeof phoneSchema>;

/**
 * Returns what the phone of a simulated channel's customer shows, or with `after` what has changed.
 * @throws WaypostError `permission_denied` for keys; those of `findPhone` and `askSimulator`.
 */
export async function getPhone(args: {
  ctx: Context;
  input: z.output<typeof getPhoneInput>;
}): Promise<PhoneView> {
  const { ctx, input } = args;
  requireMemberCapability(ctx.actor, "messages.read");
  const { phoneNumberId, customer } = await findPhone(ctx, input);
  const query = new URLSearchParams({ phone_number_id: phoneNumberId, customer, after: input.after ?? "" });
  const reply = await askSimulator(ctx, { method: "GET", path: `/simulator/phone?${query.toString()}` });
  return parseReply(phoneSchema, reply);
}
