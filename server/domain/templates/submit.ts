import { and, eq, sql } from "drizzle-orm";
import { z } from "zod";
import type { OrmTransaction } from "@/db/client";
import { templates, type TemplateState } from "@/db/schema";
import type { SystemActor } from "@/server/core/actor";
import { recordAudit } from "@/server/core/audit/record";
import type { Context } from "@/server/core/context";
import { WaypostError } from "@/server/platform/errors";
import { parseInput } from "@/server/core/input/parse-input";
import { createTemplate } from "@/server/adapters/whatsapp/template-client";
import { templateVariables, TEMPLATE_LANGUAGE } from "@/server/adapters/whatsapp/template-components";
import { templateCaller } from "./caller";

const submitTemplateSchema = z.strictObject({
  channelId: z.guid(),
  /** Meta's rule ("Template names"). */
  name: z.string().regex(/^[a-z0-9_]{1,512}$/, "must be 1 to 512 lower-case letters, digits and underscores"),
  language: z.string().regex(TEMPLATE_LANGUAGE, "must be a language such as en or en_US"),
  category: z.enum(["marketing", "utility", "authentication"]),
  components: z.array(z.record(z.string(), z.unknown())).min(1),
});

export type SubmitTemplateInput = z.input<typeof submitTemplateSchema>;

/**
 * Submits a template to the upstream for approval, and stores the submission. For Waypost's own use only.
 * @throws WaypostError `channel_forbidden` for an unknown channel, or one without a known upstream; `validation_failed`
 * with the upstream's words if it rejects the template; `unavailable` if the response isn't definite: the template may
 * have been submitted then, and the next synchronization stores it.
 */
export async function submitTemplate(args: {
  ctx: Context<SystemActor>;
  input: SubmitTemplateInput;
}): Promise<{ templateId: string; state: TemplateState }> {
  const { ctx } = args;
  const { channelId, ...template } = parseInput(submitTemplateSchema, args.input);
  const caller = await templateCaller(ctx, channelId);
  if (caller === null) throw new WaypostError("channel_forbidden", { field: "channelId" });
  const created = await createTemplate(caller, template);
  if (created.kind === "refused") {
    throw new WaypostError("validation_failed", {
      message: `WhatsApp refused the template: ${created.reason}`,
    });
  }
  if (created.kind === "failed") throw new WaypostError("unavailable", { cause: created.reason });
  const { upstreamId, state } = created;
  const values = {
    organizationId: ctx.actor.organizationId,
    channelId,
    ...template,
    state,
    variables: templateVariables(template.components),
    upstreamId,
  };
  return ctx.services.orm.transaction(async (tx) => {
    const row = (await insertSubmission(tx, values)) ?? (await findSubmission(tx, values));
    if (!row) throw new Error("The template was neither inserted nor found");
    await recordAudit(tx, ctx, {
      action: "template.submitted",
      subjectKind: "template",
      subjectId: row.templateId,
      detail: { channelId, name: template.name, language: template.language, category: template.category },
    });
    return row;
  });
}

type Submission = typeof templates.$inferInsert;
const returned = { templateId: templates.id, state: templates.state };

/** Null if a synchronization was faster: its data is newer. An earlier template of that name is replaced. */
async function insertSubmission(tx: OrmTransaction, values: Submission) {
  const { category, state, components, variables, upstreamId } = values;
  const [row] = await tx
    .insert(templates)
    .values(values)
    .onConflictDoUpdate({
      target: [templates.channelId, templates.name, templates.language],
      set: { category, state, stateReason: null, components, variables, upstreamId, updatedAt: sql`now()` },
      setWhere: sql`${templates.upstreamId} is distinct from excluded.upstream_id`,
    })
    .returning(returned);
  return row ?? null;
}

async function findSubmission(tx: OrmTransaction, { organizationId, channelId, name, language }: Submission) {
  const [row] = await tx
    .select(returned)
    .from(templates)
    .where(
      and(
        eq(templates.organizationId, organizationId),
        eq(templates.channelId, channelId),
        eq(templates.name, name),
        eq(templates.language, language),
      ),
    );
  return row;
}
