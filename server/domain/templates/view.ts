import type { SqlFragment } from "@/db/client";
import type { TemplateState } from "@/db/schema";
import type { Context } from "@/server/core/context";
import { templateBody } from "@/server/adapters/whatsapp/template-components";
import { templateExamples } from "@/server/adapters/whatsapp/template-examples";
import {
  type TemplatePart,
  templateParts,
  type TextPiece,
  textPieces,
} from "@/server/adapters/whatsapp/template-preview";

/** A template submission as members see it in a list. */
export interface TemplateView {
  /** The `template_submission_id` of the public API. */
  readonly id: string;
  readonly channelId: string;
  readonly channelName: string;
  readonly name: string;
  /** Such as `en_US`. */
  readonly language: string;
  /** Meta's category in lower case: marketing, utility or authentication; null if Meta gives none. */
  readonly category: string | null;
  readonly state: TemplateState;
  /** Why it was rejected, paused or disabled, in the upstream's words. */
  readonly reason: string | null;
  /** The text, split at its placeholders; null if the upstream gives none. */
  readonly body: readonly TextPiece[] | null;
  /** Names of the values that a message must provide, in order. */
  readonly variables: readonly string[];
  /** When its stored data last changed. */
  readonly updatedAt: Date;
}

/** A template submission as its own panel shows it. */
export interface TemplateDetail extends TemplateView {
  /** Everything that a customer sees of it. */
  readonly parts: readonly TemplatePart[];
  /** The example of each value, as far as WhatsApp has one. */
  readonly examples: Readonly<Record<string, string>>;
}

interface Row extends Omit<TemplateView, "body"> {
  readonly components: readonly unknown[];
}

/**
 * Reads template submissions on channels of the actor's organization, by channel, name and language.
 * @param which condition on templates `t`.
 */
export async function readTemplates(
  { services, actor }: Context,
  { which, rowsMax }: { which: SqlFragment; rowsMax: number },
): Promise<TemplateDetail[]> {
  const rows = await services.sql<Row[]>`
    select t.id, t.channel_id as "channelId", c.name as "channelName", t.name, t.language, t.category, t.state,
      t.state_reason as reason, t.variables, t.components, t.updated_at as "updatedAt"
    from templates t join channels c on c.organization_id = t.organization_id and c.id = t.channel_id
    -- By its channels, so that the index of names is used and gives the order.
    where t.channel_id = any(array(select id from channels where organization_id = ${actor.organizationId}))
      and t.organization_id = ${actor.organizationId} and ${which}
    order by t.channel_id, t.name, t.language limit ${rowsMax}`;
  return rows.map(detailOf);
}

function detailOf({ components, ...row }: Row): TemplateDetail {
  const body = templateBody(components);
  return {
    ...row,
    body: body === null ? null : textPieces(body),
    parts: templateParts(components),
    examples: templateExamples(components),
  };
}
