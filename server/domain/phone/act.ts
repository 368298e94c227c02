import { z } from "zod";
import { requireMemberCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { handleSpelled } from "@/server/domain/contacts/number-search";
import { WaypostError } from "@/server/platform/errors";
import { askSimulator, findPhone, type Phone, phoneInput } from "./simulated-channel";

/** WhatsApp's id of a message on the phone. */
const wamid = z.string().min(1).max(512);
const words = (charactersMax: number) => z.string().min(1).max(charactersMax);

const actSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("text"), body: words(4096), quotes: wamid.nullable().default(null) }),
  /** An empty emoji takes the reaction back. */
  z.strictObject({ kind: z.literal("reaction"), wamid, emoji: z.string().max(32) }),
  /** Presses a button, or chooses a row of a list. */
  z.strictObject({
    kind: z.literal("press"),
    wamid,
    answer: z.enum(["button", "button_reply", "list_reply"]),
    /** The id or payload of the button, or the id of the row. */
    value: words(512),
    title: words(512),
    description: words(512).optional(),
  }),
  z.strictObject({
    kind: z.literal("file"),
    /** Of a file of the camera roll. */
    name: words(64),
    type: z.enum(["image", "sticker", "audio", "video", "document"]),
    mimeType: words(128),
    filename: words(240).optional(),
  }),
  z.strictObject({
    kind: z.literal("location"),
    latitude: z.number().min(-90).max(90),
    longitude: z.number().min(-180).max(180),
    name: words(512).optional(),
    quotes: wamid.nullable().default(null),
  }),
  z.strictObject({ kind: z.literal("contact"), name: words(200), number: words(40) }),
  /** Reads all messages that are on the phone. */
  z.strictObject({ kind: z.literal("read") }),
  z.strictObject({ kind: z.literal("change_number"), number: words(40) }),
  /** Stops or allows marketing messages, in WhatsApp's own settings. */
  z.strictObject({ kind: z.literal("preference"), value: z.enum(["stop", "resume"]) }),
]);

type Act = z.output<typeof actSchema>;

export const actInput = z.strictObject({ ...phoneInput, act: actSchema });

/**
 * Does something on the phone of a simulated channel's customer, as the customer would. Waypost gets to know it as it
 * gets to know what real customers do: by WhatsApp's callbacks.
 * @throws WaypostError `permission_denied` for keys; `validation_failed` for a new number that is none; those of
 * `findPhone` and `askSimulator`.
 */
export async function actOnPhone(args: {
  ctx: Context;
  input: z.output<typeof actInput>;
}): Promise<{ readonly done: true }> {
  const { ctx, input } = args;
  requireMemberCapability(ctx.actor, "messages.send");
  const phone = await findPhone(ctx, input);
  await askSimulator(ctx, { method: "POST", ...callOf(input.act, phone) });
  return { done: true };
}

function callOf(act: Act, { phoneNumberId, customer }: Phone): { path: string; body: object } {
  if (act.kind === "read") {
    return { path: "/simulator/phone/read", body: { phone_number_id: phoneNumberId, customer } };
  }
  const sender = customer.includes(".") ? { user_id: customer } : { from: customer };
  const body = { phone_number_id: phoneNumberId, ...sender, ...contentOf(act, customer) };
  return { path: "/simulator/inbound", body };
}

/** Returns the type and the content in WhatsApp's format. */
function contentOf(act: Exclude<Act, { kind: "read" }>, customer: string): object {
  switch (act.kind) {
    case "text":
      return { type: "text", text: { body: act.body }, ...quoting(act.quotes) };
    case "reaction":
      return { type: "reaction", reaction: { message_id: act.wamid, emoji: act.emoji } };
    case "press":
      return { ...answerOf(act), ...quoting(act.wamid) };
    case "file": {
      const { name: demo_file, type, mimeType: mime_type, filename } = act;
      const voice = type === "audio" ? { voice: true } : {};
      return { type, demo_file, [type]: { mime_type, ...voice, ...(filename && { filename }) } };
    }
    case "location": {
      const { latitude, longitude, name, quotes } = act;
      return {
        type: "location",
        location: { latitude, longitude, ...(name && { name }) },
        ...quoting(quotes),
      };
    }
    case "contact": {
      const phones = [{ phone: act.number, type: "CELL" }];
      return {
        type: "contacts",
        contacts: [{ name: { formatted_name: act.name, first_name: act.name }, phones }],
      };
    }
    case "change_number":
      return { type: "system", system: numberChange(customer, act.number) };
    case "preference":
      return { type: "user_preferences", user_preferences: { value: act.value } };
  }
}

function quoting(id: string | null): object {
  return id === null ? {} : { context: { id } };
}

/** A button of a template answers with its payload, one of an interactive message with its id. */
function answerOf({ answer, value, title, description }: Extract<Act, { kind: "press" }>): object {
  if (answer === "button") return { type: "button", button: { text: title, payload: value } };
  const reply = { id: value, title, ...(description && { description }) };
  return { type: "interactive", interactive: { type: answer, [answer]: reply } };
}

function numberChange(customer: string, spelled: string): object {
  const wa_id = handleSpelled(spelled);
  if (wa_id === null || wa_id === customer) {
    throw new WaypostError("validation_failed", {
      field: "act.number",
      message: "`act.number` must be another number with its country code, such as +49 151 12345678.",
    });
  }
  return { type: "user_changed_number", body: `User changed from ${customer} to ${wa_id}`, wa_id };
}
