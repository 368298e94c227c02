import { z } from "zod";
import type { TemplateState } from "@/db/schema";
import { graphCall, type GraphAnswer } from "./exchange";
import { keptWords } from "./graph-error";
import { hasNamedParameters } from "./template-components";
import { templateState } from "./template-states";

/** Address of an account's templates, and the credentials to read them. */
export interface TemplateCaller {
  readonly baseUrl: string;
  readonly wabaId: string;
  readonly accessToken: string;
}

/** A template of the upstream. */
export interface UpstreamTemplate {
  readonly upstreamId: string;
  readonly name: string;
  readonly language: string;
  readonly category: string | null;
  readonly state: TemplateState;
  readonly reason: string | null;
  readonly components: readonly unknown[];
}

export interface NewTemplate {
  readonly name: string;
  readonly language: string;
  readonly category: string;
  readonly components: readonly unknown[];
}

type Failure = Exclude<GraphAnswer, { kind: "answered" }>;

export type TemplateList =
  | {
      readonly kind: "listed";
      readonly templates: readonly UpstreamTemplate[];
      /** False if there may be more, or if some were unreadable. */
      readonly isComplete: boolean;
    }
  | Failure;

export type TemplateCreation =
  | { readonly kind: "created"; readonly upstreamId: string; readonly state: TemplateState }
  | Failure;

/** An account has at most 6,000 (Meta, "Template limits"). */
const PAGES_MAX = 80;
const PAGE_SIZE = 100;
const PAGE_BYTES_MAX = 4_000_000;
const CALL_TIMEOUT_MS = 20_000;
/** After this time, no further page is requested. */
const LIST_TIMEOUT_MS = 60_000;
const CREATED_BYTES_MAX = 64 * 1024;
const FIELDS = "id,name,language,category,status,rejected_reason,components";

const pageSchema = z.object({
  data: z.array(z.unknown()),
  paging: z
    .object({ next: z.string().optional(), cursors: z.object({ after: z.string() }).optional() })
    .optional()
    .catch(undefined),
});

const id = z.union([z.string().min(1), z.number().transform(String)]);

const templateSchema = z
  .object({
    id,
    name: z.string().min(1),
    language: z.string().min(1),
    category: z.string().nullish().catch(null),
    status: z.string(),
    rejected_reason: z.string().nullish().catch(null),
    components: z.array(z.unknown()).catch([]),
  })
  .transform((template): UpstreamTemplate => ({
    upstreamId: template.id,
    name: template.name,
    language: template.language,
    category: template.category?.toLowerCase() ?? null,
    ...stateOf(template.status, template.rejected_reason),
    components: template.components,
  }));

const createdSchema = z.object({ id, status: z.string().default("PENDING") });

/**
 * Lists every template of an account, in all its languages and states
 * (https://developers.facebook.com/docs/graph-api/reference/whats-app-business-account/message_templates). Never
 * throws. Pages are requested by their cursor, never by the URL that the response gives for the next page.
 */
export async function listTemplates(
  caller: TemplateCaller,
  limits: { timeoutMs?: number; pagesMax?: number } = {},
): Promise<TemplateList> {
  const { timeoutMs = CALL_TIMEOUT_MS, pagesMax = PAGES_MAX } = limits;
  const endsAt = performance.now() + LIST_TIMEOUT_MS;
  const templates: UpstreamTemplate[] = [];
  const cursors = new Set<string>();
  let isReadable = true;
  let after: string | null = null;
  for (let page = 0; page < pagesMax && performance.now() < endsAt; page++) {
    const answer: GraphAnswer = await graphCall({
      ...addressOf(caller),
      query: { fields: FIELDS, limit: String(PAGE_SIZE), ...(after === null ? {} : { after }) },
      timeoutMs,
      answerBytesMax: PAGE_BYTES_MAX,
    });
    if (answer.kind !== "answered") return answer;
    const read = pageSchema.safeParse(answer.json);
    if (!read.success) return { kind: "failed", reason: "the answer isn't a list of templates" };
    for (const entry of read.data.data) {
      const template = templateSchema.safeParse(entry);
      if (template.success) templates.push(template.data);
      else isReadable = false;
    }
    const { paging } = read.data;
    if (paging?.next === undefined) return { kind: "listed", templates, isComplete: isReadable };
    after = paging.cursors?.after ?? null;
    if (after === null || cursors.has(after)) break;
    cursors.add(after);
  }
  return { kind: "listed", templates, isComplete: false };
}

/** Submits a template for approval. Never throws. */
export async function createTemplate(
  caller: TemplateCaller,
  template: NewTemplate,
  { timeoutMs = CALL_TIMEOUT_MS }: { timeoutMs?: number } = {},
): Promise<TemplateCreation> {
  const answer = await graphCall({
    ...addressOf(caller),
    body: {
      ...template,
      category: template.category.toUpperCase(),
      parameter_format: hasNamedParameters(template.components) ? "NAMED" : "POSITIONAL",
    },
    timeoutMs,
    answerBytesMax: CREATED_BYTES_MAX,
  });
  if (answer.kind !== "answered") return answer;
  const created = createdSchema.safeParse(answer.json);
  if (!created.success) return { kind: "failed", reason: "the answer names no template" };
  return { kind: "created", upstreamId: created.data.id, state: templateState(created.data.status) };
}

function addressOf({ baseUrl, wabaId, accessToken }: TemplateCaller) {
  return { baseUrl, accessToken, path: `${wabaId}/message_templates` };
}

/**
 * The reason is the upstream's own. If there is none, it is the upstream's word for a state that ours doesn't
 * distinguish.
 */
function stateOf(status: string, rejected: string | null | undefined) {
  const state = templateState(status);
  if (state === "approved") return { state, reason: null };
  const rejection =
    rejected == null || rejected === "" || rejected.toUpperCase() === "NONE" ? null : rejected;
  const word = status.toLowerCase() === state ? null : status;
  const reason = rejection ?? word;
  return { state, reason: reason === null ? null : keptWords(reason) };
}
