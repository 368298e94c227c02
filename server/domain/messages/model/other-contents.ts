import { z } from "zod";
import { isOneEmoji } from "@/server/lib/emoji";
import { limitedText, visibleText } from "./limited-text";

/** Our own limits, in Unicode code points: Meta documents none. */
const PLACE_LENGTH_MAX = 1000;
const CARD_TEXT_LENGTH_MAX = 256;
/** Meta's limit of contacts in one message. */
const CONTACTS_MAX = 257;
/** Of one contact. Our own limit. */
const ENTRIES_MAX = 20;

const messageId = (description: string) => z.guid().toLowerCase().meta({ description });

/** The earlier message that a message quotes. */
export const replyTo = z
  .strictObject({ message_id: messageId("`message_id` of the quoted message, in either direction") })
  .meta({
    id: "ReplyTo",
    description: "The message that this one quotes. It must be of the same conversation",
  });

export const reactionContent = z
  .strictObject({
    message_id: messageId(
      "`message_id` of the message to react to, in either direction, of the same conversation",
    ),
    emoji: z
      .string()
      .refine((text) => text === "" || isOneEmoji(text), { error: "must be one emoji, or empty" })
      .meta({ description: "One emoji. Empty takes the reaction back", examples: ["👍"] }),
  })
  .meta({
    id: "ReactionObject",
    description: "A reaction to a message. A later one to the same message replaces it",
  });

/** `readonly` keeps the public API from coercing it. */
const degrees = (max: number, description: string) =>
  z
    .number()
    .min(-max, `must be at least -${max}`)
    .max(max, `must be at most ${max}`)
    .readonly()
    .meta({ description, readOnly: false });

export const locationContent = z
  .strictObject({
    latitude: degrees(90, "Degrees north, from -90 to 90"),
    longitude: degrees(180, "Degrees east, from -180 to 180"),
    name: limitedText(PLACE_LENGTH_MAX, "Name of the place").nullish(),
    address: limitedText(
      PLACE_LENGTH_MAX,
      "Address of the place. WhatsApp shows it only together with `name`",
    ).nullish(),
  })
  .meta({ id: "LocationObject", description: "A place on the map" });

const entries = <T extends z.ZodType>(element: T, description: string) =>
  z
    .array(element)
    .max(ENTRIES_MAX, `must have at most ${ENTRIES_MAX} entries`)
    .meta({ description, maxItems: ENTRIES_MAX });

const contactCard = z
  .strictObject({
    name: visibleText(CARD_TEXT_LENGTH_MAX, "Full name"),
    phones: entries(visibleText(CARD_TEXT_LENGTH_MAX, "A phone number, as it is shown"), "Phone numbers")
      .min(1, "must have at least 1 number")
      .meta({ minItems: 1 }),
    emails: entries(visibleText(CARD_TEXT_LENGTH_MAX, "An email address"), "Email addresses").nullish(),
    company: visibleText(CARD_TEXT_LENGTH_MAX, "Name of the company").nullish(),
  })
  .meta({ id: "ContactCard", description: "A contact that the customer can save" });

export const contactsContent = z
  .array(contactCard)
  .min(1, "must have at least 1 contact")
  .max(CONTACTS_MAX, `must have at most ${CONTACTS_MAX} contacts`)
  .meta({ description: "Contacts to share", minItems: 1, maxItems: CONTACTS_MAX });
