import { eq } from "drizzle-orm";
import { organizations } from "@/db/schema";
import { type Capability, capabilitiesOf, GRANTABLE } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { wallClock } from "@/server/lib/wall-clock";
import { WaypostError } from "@/server/platform/errors";
import { type MarketingWords, wordsOf } from "./marketing-words";

/** The organization as its pages need it, with the viewer's permissions in it. */
export interface OrganizationView {
  readonly id: string;
  readonly name: string;
  readonly isDemo: boolean;
  /** Content and numbers older than this are erased. */
  readonly retentionDays: number;
  /** Words by which customers opt out of marketing messages and in again. */
  readonly marketingWords: MarketingWords;
  readonly capabilities: readonly Capability[];
  /** Capabilities that a member can be given beyond their role, in words that follow "may". */
  readonly grantable: readonly { readonly name: Capability; readonly words: string }[];
  /** The URL of this service; null if it isn't configured. */
  readonly publicUrl: string | null;
  /** By how much the clock of the demo is ahead of the machine's. 0 unless it was moved. */
  readonly clockAheadMs: number;
}

export async function readOrganization({ ctx }: { ctx: Context }): Promise<OrganizationView> {
  const { services, actor } = ctx;
  const [row] = await services.orm
    .select({
      id: organizations.id,
      name: organizations.name,
      isDemo: organizations.isDemo,
      retentionDays: organizations.retentionDays,
      optOutWords: organizations.optOutWords,
      optInWords: organizations.optInWords,
    })
    .from(organizations)
    .where(eq(organizations.id, actor.organizationId));
  if (!row) throw new WaypostError("organization_not_found");
  const { optOutWords, optInWords, ...rest } = row;
  return {
    ...rest,
    marketingWords: wordsOf({ optOutWords, optInWords }),
    capabilities: capabilitiesOf(actor),
    grantable: GRANTABLE,
    publicUrl: services.config.publicUrl,
    clockAheadMs: wallClock.aheadMs(),
  };
}
