import { retryOnConflict } from "@/db/errors";
import type { Context } from "../context";
import { ensurePersonIn } from "./ensure";
import type { Person } from "./person";

export interface MarketingWish {
  readonly person: Person;
  readonly profileName: string | null;
  /** Whether the customer wants marketing messages. */
  readonly isWanted: boolean;
  /** When the customer said so, by WhatsApp's clock. */
  readonly at: Date;
}

/**
 * Keeps whether a customer wants marketing messages, also of one who has no contact yet. A repeated refusal keeps the
 * time of the first; a consent that is older than the refusal doesn't end it.
 */
export async function setMarketingWish(args: { ctx: Context; input: MarketingWish }): Promise<void> {
  const { ctx, input } = args;
  const { organizationId } = ctx.actor;
  await retryOnConflict(() =>
    ctx.services.sql.begin(async (tx) => {
      const { contactId } = await ensurePersonIn(tx, organizationId, input.person, input.profileName);
      const at = input.at.toISOString();
      await tx`
        update contacts set marketing_opted_out_at = case
          when not ${input.isWanted} then coalesce(marketing_opted_out_at, least(${at}::timestamptz, now()))
          when marketing_opted_out_at >= ${at}::timestamptz + interval '1 second' then marketing_opted_out_at
        end
      where organization_id = ${organizationId} and id = ${contactId}`;
    }),
  );
}
