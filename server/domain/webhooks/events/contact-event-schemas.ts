import { z } from "zod";
import {
  type ContactChangedEventData,
  PREFERENCE_SOURCES,
  type PreferenceEventData,
  type PreferenceSource,
} from "@/server/domain/contacts/announce";
import { identity, party } from "@/server/domain/contacts/names";
import { moment } from "@/server/domain/messages/model/schemas";

const sequence = z
  .int()
  .min(1)
  .meta({
    description:
      "Number of this event among the events of this contact, from 1 and without gaps. Events can arrive in a " +
      "different order: the event with the higher number is newer",
  });

const at = moment.meta({
  description:
    "When it was decided or changed: by WhatsApp's clock, to the second, if WhatsApp gives the time, else by Waypost's clock",
});

const sources = Object.keys(PREFERENCE_SOURCES) as [PreferenceSource, ...PreferenceSource[]];

const meanings = Object.entries(PREFERENCE_SOURCES)
  .map(([source, means]) => `\`${source}\`: ${means}.`)
  .join(" ");

/** The data of `contact.opted_out` and `contact.opted_in`. */
export const preferenceData = z
  .object({
    contact_id: z.guid(),
    sequence,
    identities: z.array(identity),
    marketing_opt_out: z.boolean().meta({
      description:
        "True if the customer wants no marketing messages: the state of the contact after this event",
    }),
    source: z.enum(sources).meta({ description: `Where the decision comes from. ${meanings}` }),
    at,
  })
  .meta({
    id: "ContactPreferenceChange",
    description: "A contact whose decision about marketing messages has changed",
  }) satisfies z.ZodType<PreferenceEventData>;

/** The data of `contact.changed`. */
export const contactChangedData = z
  .object({ contact_id: z.guid(), sequence, old: party, new: party, at })
  .meta({
    id: "ContactChange",
    description: "A contact that has a new number, or a new id at WhatsApp",
  }) satisfies z.ZodType<ContactChangedEventData>;
