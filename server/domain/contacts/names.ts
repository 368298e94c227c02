import { z } from "zod";
import type { IdentityKind } from "@/db/schema";

/** The API's names of the kinds of identities. */
const KINDS = {
  whatsapp: "whatsapp",
  bsuid: "whatsapp_user",
  parent_bsuid: "whatsapp_parent_user",
} as const satisfies Record<IdentityKind, string>;

/** One of a customer's names, as the public API shows it. */
export const identity = z.object({
  kind: z.enum([KINDS.whatsapp, KINDS.bsuid, KINDS.parent_bsuid]).meta({
    description:
      "`whatsapp`: a phone number. `whatsapp_user`: WhatsApp's id of the customer, valid for this business only. " +
      "`whatsapp_parent_user`: the same for the parent business portfolio",
  }),
  handle: z.string().meta({
    description: "The number in E.164 format without the leading plus sign, or the id",
  }),
});

export type PublicIdentity = z.infer<typeof identity>;

export function identityShape({ kind, handle }: { kind: IdentityKind; handle: string }): PublicIdentity {
  return { kind: KINDS[kind], handle };
}

/** A customer under one set of names. */
export const party = z
  .object({
    kind: z.enum([KINDS.whatsapp, KINDS.bsuid]).meta({
      description: "`whatsapp`: by a phone number. `whatsapp_user`: only by WhatsApp's id of the customer",
    }),
    handle: z
      .string()
      .nullable()
      .meta({
        description:
          "Number in E.164 format without the leading plus sign. Null if it isn't known, and once the message is erased",
        examples: ["4915112345678"],
      }),
    user_id: z
      .string()
      .nullable()
      .meta({
        description:
          "WhatsApp's id of the customer, valid for this business only. Null if it isn't known, and once the message is " +
          "erased",
      }),
  })
  .meta({ id: "MessageParty", description: "A customer, by a number, by WhatsApp's id, or by both" });

export type Party = z.infer<typeof party>;

/** A customer by the names that are known; without any, because they were erased, as if by a number. */
export function partyOf(handle: string | null, userId: string | null): Party {
  const kind = handle === null && userId !== null ? KINDS.bsuid : KINDS.whatsapp;
  return { kind, handle, user_id: userId };
}
