import type { Services } from "@/server/core/context";
import { WaypostError } from "@/server/platform/errors";
import { isMediaVariable } from "@/server/adapters/whatsapp/template-components";
import { requirePublicUrl } from "./media-rules";
import type { SendMessageInput } from "../model/send-request";
import { type Destination, fieldOf } from "./destination";
import type { TemplateFact } from "./send-facts";

/** Maximum variable names in an error message, for each kind. */
const NAMED_MAX = 10;
const NAME_LENGTH_MAX = 60;

/**
 * Returns the template of the message. It must be approved, and the variables must match.
 * @param templates the organization's templates with that id, or with that name and language, on any channel.
 * @param channelId the channel that sends the message.
 * @throws WaypostError `validation_failed` for an id whose template has another name or language than given;
 * `template_not_approved`, `template_variables_mismatch`, `media_url_forbidden`.
 */
export async function checkTemplate(
  services: Services,
  template: NonNullable<SendMessageInput["template"]>,
  templates: readonly TemplateFact[],
  channelId: string,
): Promise<TemplateFact> {
  for (const candidate of templates) refuseContradiction(candidate, template);
  const found = templates.find((candidate) => candidate.channelId === channelId);
  if (!found) throw new WaypostError("template_not_approved", { field: "template" });
  if (found.state !== "approved") {
    const message = `The template is ${found.state}. It can be sent only while it is approved by WhatsApp.`;
    throw new WaypostError("template_not_approved", { field: "template", message });
  }
  const values = givenValues(template.variables ?? {});
  checkNames(found.variables, [...values.keys()]);
  for (const [name, value] of values) {
    if (isMediaVariable(name)) await requirePublicUrl(services, value, `template.variables.${name}`);
  }
  return found;
}

/**
 * Refuses a marketing template to a contact that wants no marketing messages.
 * @throws WaypostError `recipient_opted_out`.
 */
export function requireWanted(
  { category }: TemplateFact,
  { isOptedOut }: Destination,
  input: Pick<SendMessageInput, "to">,
): void {
  if (category !== "marketing" || !isOptedOut) return;
  throw new WaypostError("recipient_opted_out", { field: fieldOf(input) });
}

/** Only values given beside an id can contradict it: a lookup by name and language finds only matching templates. */
function refuseContradiction(found: TemplateFact, given: NonNullable<SendMessageInput["template"]>): void {
  for (const selector of ["name", "language"] as const) {
    if ((given[selector] ?? found[selector]) === found[selector]) continue;
    throw new WaypostError("validation_failed", {
      field: `template.${selector}`,
      message: `\`template.${selector}\` isn't the ${selector} of the template with this \`template_submission_id\`.`,
    });
  }
}

/** Null is the same as absent. */
function givenValues(variables: Readonly<Record<string, string | null | undefined>>): Map<string, string> {
  const entries = Object.entries(variables).flatMap(([name, value]): [string, string][] =>
    typeof value === "string" ? [[name, value]] : [],
  );
  return new Map(entries);
}

function checkNames(needed: readonly string[], given: readonly string[]): void {
  const missing = needed.filter((name) => !given.includes(name));
  const surplus = given.filter((name) => !needed.includes(name));
  if (missing.length === 0 && surplus.length === 0) return;
  throw new WaypostError("template_variables_mismatch", {
    field: "template.variables",
    message: [
      "The variables don't match the template.",
      ...(missing.length > 0 ? [`Missing: ${inWords(missing)}.`] : []),
      ...(surplus.length > 0 ? [`Not in the template: ${inWords(surplus)}.`] : []),
    ].join(" "),
  });
}

function inWords(names: readonly string[]): string {
  const shown = names.slice(0, NAMED_MAX).map((name) => `\`${name.slice(0, NAME_LENGTH_MAX)}\``);
  return names.length > NAMED_MAX ? `${shown.join(", ")} and others` : shown.join(", ");
}
