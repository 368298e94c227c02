import { z } from "zod";
import { HANDLE_PATTERN } from "@/server/adapters/whatsapp/handles";
import { USER_ID_PATTERN } from "@/server/adapters/whatsapp/person";

const byNumber = z
  .strictObject({
    kind: z.literal("whatsapp"),
    handle: z
      .string()
      .regex(HANDLE_PATTERN)
      .meta({
        description: "Number in E.164 format without the leading plus sign",
        examples: ["4915112345678"],
      }),
  })
  .meta({ id: "DestinationNumber", description: "Phone number of a customer" });

const byUserId = z
  .strictObject({
    kind: z.literal("whatsapp_user"),
    user_id: z
      .string()
      .regex(USER_ID_PATTERN, "must be an id such as US.13491208655302741918")
      .meta({
        description:
          "WhatsApp's id of the customer for your business (business-scoped user id), as in `from.user_id` of a received message",
        examples: ["US.13491208655302741918"],
      }),
  })
  .meta({
    id: "DestinationUser",
    description: "A customer by WhatsApp's id, with or without a known number",
  });

/** The customer that a message goes to. */
export const destination = z.discriminatedUnion("kind", [byNumber, byUserId]).meta({
  id: "DestinationTo",
  description: "A customer, by phone number or by WhatsApp's id. `kind` determines the other field",
  discriminator: {
    propertyName: "kind",
    mapping: {
      whatsapp: "#/components/schemas/DestinationNumber",
      whatsapp_user: "#/components/schemas/DestinationUser",
    },
  },
});

export type DestinationTo = z.infer<typeof destination>;
