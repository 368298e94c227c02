import type { IncomingMessage, ServerResponse } from "node:http";
import { accountCallerError } from "./numbers";
import { invalidParameter } from "./graph-errors";
import { accessToken, readJson, sendGraphError, sendJson, type NodeFields, readFields } from "./http";
import { recordEvent } from "./journal";
import type { SimulatorContext } from "./simulator-context";
import { type Template, parseTemplateRequest } from "./templates";

const fields = {
  name: { isDefault: true, value: ({ name }) => name },
  parameter_format: { isDefault: true, value: ({ parameter_format }) => parameter_format },
  components: { isDefault: true, value: ({ components }) => components },
  language: { isDefault: true, value: ({ language }) => language },
  status: { isDefault: true, value: ({ status }) => status },
  category: { isDefault: true, value: ({ category }) => category },
  rejected_reason: { isDefault: false, value: ({ reason }) => reason },
  quality_score: { isDefault: false, value: () => ({ score: "UNKNOWN", date: 0 }) },
  id: { isDefault: true, value: ({ id }) => id },
} as const satisfies NodeFields<Template>;

const filters = {
  name: ({ name }, value) => name.includes(value),
  language: ({ language }, value) => language === value,
  status: ({ status }, value) => status === value.toUpperCase(),
  category: ({ category }, value) => category === value.toUpperCase(),
} as const satisfies Record<string, (template: Template, value: string) => boolean>;

const pageSizeDefault = 25;
const pageSizeMax = 100;

/**
 * `POST /v{N}.{M}/{waba_id}/message_templates`. Responds with `{ id, status, category }` when the template is on disk.
 */
export async function postTemplate(
  context: SimulatorContext,
  wabaId: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await readJson(request);
  const error = accountCallerError(context, wabaId, accessToken(request));
  if (error !== null) return sendGraphError(response, error);
  if (body.kind === "too_large") return sendGraphError(response, { error: "body_too_large" });
  if (body.kind === "not_json") {
    return sendGraphError(response, invalidParameter("The request body is not valid JSON."));
  }
  const input = parseTemplateRequest(body.value);
  if ("error" in input) return sendGraphError(response, input);
  const template = await context.templates.create(wabaId, input);
  if (template === null) return sendGraphError(response, { error: "template_exists" });
  if (template.status !== "PENDING") await reportTemplateState(context, template);
  const { id, status, category } = template;
  sendJson(response, 200, { id, status, category });
}

/**
 * `GET /v{N}.{M}/{waba_id}/message_templates`, with `fields`, `limit` (25, at most 100), `after`, `before`, and the
 * filters `name` (part of it), `language`, `status`, `category`.
 */
export function getTemplates(
  context: SimulatorContext,
  wabaId: string,
  query: URLSearchParams,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const error = accountCallerError(context, wabaId, accessToken(request));
  if (error !== null) return sendGraphError(response, error);
  const asked = readFields(query, { nodeType: "WhatsAppMessageTemplate", fields });
  if ("error" in asked) return sendGraphError(response, asked.error);
  const limit = Number(query.get("limit") ?? pageSizeDefault);
  const [after, before] = [cursorSerial(query.get("after")), cursorSerial(query.get("before"))];
  if (!(Number.isInteger(limit) && limit > 0)) {
    return sendGraphError(response, invalidParameter("Param limit must be a positive integer."));
  }
  if (Number.isNaN(after) || Number.isNaN(before)) {
    return sendGraphError(response, invalidParameter("Invalid cursors values"));
  }
  const matching = context.templates.ofAccount(wabaId).filter((template) => matches(template, query));
  const page = pageOf(matching, { after, before, size: Math.min(limit, pageSizeMax) });
  sendJson(response, 200, {
    data: page.templates.map(asked.show),
    ...pagingOf(page, query, request),
  });
}

/**
 * `DELETE /v{N}.{M}/{waba_id}/message_templates?name=`: deletes the template in all its languages, or with `hsm_id`
 * one.
 */
export async function deleteTemplates(
  context: SimulatorContext,
  wabaId: string,
  query: URLSearchParams,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const error = accountCallerError(context, wabaId, accessToken(request));
  if (error !== null) return sendGraphError(response, error);
  const [name, id] = [query.get("name"), query.get("hsm_id")];
  const doomed = context.templates
    .ofAccount(wabaId)
    .filter((template) => template.name === name && (id === null || template.id === id));
  if (doomed.length === 0) {
    return sendGraphError(response, invalidParameter("No template of this name exists."));
  }
  for (const template of doomed) await context.templates.delete(template);
  sendJson(response, 200, { success: true });
}

/** Sends the template's state to every receiver of the account's numbers. */
export async function reportTemplateState(context: SimulatorContext, template: Template): Promise<void> {
  const value = {
    event: template.status,
    message_template_id: Number(template.id),
    message_template_name: template.name,
    message_template_language: template.language,
    message_template_category: template.category,
    reason: template.reason,
  };
  const at = context.clock.now();
  const reported = new Set<string>();
  for (const { phone_number_id, callback_url } of context.numbers.ofAccount(template.waba_id)) {
    if (reported.has(callback_url)) continue;
    reported.add(callback_url);
    await recordEvent(context, { phone_number_id, field: "message_template_status_update", value, at });
  }
}

function matches(template: Template, query: URLSearchParams): boolean {
  return Object.entries(filters).every(([name, test]) => {
    const value = query.get(name);
    return value === null || test(template, value);
  });
}

interface Page {
  readonly templates: readonly Template[];
  readonly hasNext: boolean;
  readonly hasPrevious: boolean;
}

function pageOf(
  all: readonly Template[],
  { after, before, size }: { after: number | null; before: number | null; size: number },
): Page {
  const first = after === null ? 0 : all.filter(({ serial }) => serial <= after).length;
  const end = before === null ? all.length : all.filter(({ serial }) => serial < before).length;
  const start = before === null ? first : Math.max(first, end - size);
  const templates = all.slice(start, Math.min(end, start + size));
  return { templates, hasNext: start + templates.length < all.length, hasPrevious: start > 0 };
}

function pagingOf(
  { templates, hasNext, hasPrevious }: Page,
  query: URLSearchParams,
  request: IncomingMessage,
): object {
  const [first, last] = [templates[0], templates.at(-1)];
  if (first === undefined || last === undefined) return {};
  const cursors = { before: cursorOf(first), after: cursorOf(last) };
  const link = (direction: "after" | "before") => {
    const url = new URL(request.url ?? "", `http://${request.headers.host ?? "localhost"}`);
    url.search = query.toString();
    url.searchParams.delete("after");
    url.searchParams.delete("before");
    url.searchParams.set(direction, cursors[direction]);
    return url.toString();
  };
  return {
    paging: {
      cursors,
      ...(hasNext ? { next: link("after") } : {}),
      ...(hasPrevious ? { previous: link("before") } : {}),
    },
  };
}

function cursorOf({ serial }: Template): string {
  return Buffer.from(String(serial)).toString("base64url");
}

/** Null without a cursor, NaN for one that the simulator didn't create. */
function cursorSerial(cursor: string | null): number | null {
  if (cursor === null || cursor === "") return null;
  const text = Buffer.from(cursor, "base64url").toString("latin1");
  return /^[0-9]{1,15}$/.test(text) ? Number(text) : NaN;
}
