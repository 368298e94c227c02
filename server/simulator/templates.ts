import { z } from "zod";
import { invalidParameter as invalid, type GraphError } from "./graph-errors";

/** State of a template, in Meta's words. */
export const templateStates = ["PENDING", "APPROVED", "REJECTED", "PAUSED", "DISABLED"] as const;
export type TemplateState = (typeof templateStates)[number];

const templateCategories = ["AUTHENTICATION", "MARKETING", "UTILITY"] as const;
export const headerMediaFormats = ["IMAGE", "VIDEO", "DOCUMENT"] as const;

const headerSchema = z.looseObject({
  type: z.literal("HEADER"),
  format: z.enum(["TEXT", "LOCATION", ...headerMediaFormats]),
  text: z.string().optional(),
});
const bodySchema = z.looseObject({ type: z.literal("BODY"), text: z.string().optional() });
const footerSchema = z.looseObject({ type: z.literal("FOOTER"), text: z.string().optional() });

const buttonTypes = [
  "QUICK_REPLY",
  "URL",
  "PHONE_NUMBER",
  "COPY_CODE",
  "OTP",
  "FLOW",
  "VOICE_CALL",
  "CATALOG",
  "REQUEST_CONTACT_INFO",
] as const;

const buttonSchema = z.looseObject({
  type: z.enum(buttonTypes),
  text: z.string().optional(),
  url: z.string().optional(),
  phone_number: z.string().optional(),
});
const buttonsSchema = z.looseObject({
  type: z.literal("BUTTONS"),
  buttons: z.array(buttonSchema).min(1).max(10),
});

const cardSchema = z.looseObject({
  components: z
    .array(z.discriminatedUnion("type", [headerSchema, bodySchema, buttonsSchema]))
    .min(1)
    .max(3),
});
const carouselSchema = z.looseObject({
  type: z.literal("CAROUSEL"),
  cards: z.array(cardSchema).min(2).max(10),
});

/** A component of a template, in the format in which it is created and listed. */
export const componentSchema = z.discriminatedUnion("type", [
  headerSchema,
  bodySchema,
  footerSchema,
  buttonsSchema,
  carouselSchema,
]);

export type TemplateComponent = z.infer<typeof componentSchema>;
export type TemplateButton = z.infer<typeof buttonSchema>;
type Card = z.infer<typeof cardSchema>;

const parameterFormats = ["POSITIONAL", "NAMED"] as const;

export const templateSchema = z.object({
  id: z.string(),
  waba_id: z.string(),
  name: z.string(),
  language: z.string(),
  category: z.enum(templateCategories),
  parameter_format: z.enum(parameterFormats),
  components: z.array(componentSchema),
  status: z.enum(templateStates),
  /** The reason why it isn't approved. NONE if there is no problem. */
  reason: z.string(),
  /** Position in the list. */
  serial: z.number(),
});

export type Template = Readonly<z.infer<typeof templateSchema>>;

/** Returns the placeholders of a text in their order, each once: `1` of `{{1}}`. */
export function placeholdersOf(text: string | undefined): string[] {
  const found = [...(text ?? "").matchAll(/\{\{\s*([^{}]*?)\s*\}\}/g)].map((match) => match[1] ?? "");
  return [...new Set(found)];
}

/** Returns the one component of a type. Null if the template has none. */
export function componentOf<Type extends TemplateComponent["type"]>(
  components: readonly TemplateComponent[],
  type: Type,
): Extract<TemplateComponent, { type: Type }> | null {
  const isWanted = (component: TemplateComponent): component is Extract<TemplateComponent, { type: Type }> =>
    component.type === type;
  return components.find(isWanted) ?? null;
}

/** The properties of a new template that the caller sets. */
export type TemplateRequest = Pick<
  Template,
  "name" | "language" | "category" | "parameter_format" | "components"
>;

const caseless = <Values extends readonly [string, ...string[]]>(values: Values) =>
  z.preprocess((value) => (typeof value === "string" ? value.toUpperCase() : value), z.enum(values));

/** Component types may be written in lower case. Meta lists them in upper case. */
function upperCased(component: unknown): unknown {
  if (typeof component !== "object" || component === null) return component;
  const cased = Object.entries(component).map(([key, value]: [string, unknown]) => [
    key,
    (key === "type" || key === "format") && typeof value === "string" ? value.toUpperCase() : value,
  ]);
  const fields: Record<string, unknown> = Object.fromEntries(cased);
  for (const list of ["buttons", "cards", "components"] as const) {
    const parts = fields[list];
    if (Array.isArray(parts)) fields[list] = parts.map(upperCased);
  }
  return fields;
}

const requestSchema = z.object({
  name: z
    .string("The parameter name is required.")
    .regex(
      /^[a-z0-9_]{1,512}$/,
      "Param name may only have lower-case letters, digits and underscores, 512 at most.",
    ),
  language: z
    .string("The parameter language is required.")
    .regex(/^[a-z]{2,3}(_[A-Z]{2,3})?$/, "Param language must be a language and locale code such as en_US."),
  category: caseless(templateCategories),
  parameter_format: caseless(parameterFormats).default("POSITIONAL"),
  components: z
    .array(z.preprocess(upperCased, componentSchema), "The parameter components is required.")
    .min(1)
    .max(10),
});

const textLengths = { header: 60, body: 1024, footer: 60, button: 25, url: 2000, cardBody: 160 } as const;

/** Reads the body of `POST /{waba_id}/message_templates`, with Meta's rules for components. */
export function parseTemplateRequest(value: unknown): TemplateRequest | GraphError {
  const parsed = requestSchema.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return invalid(`Param ${issue?.path.join(".") || "body"}: ${issue?.message ?? "invalid"}`);
  }
  const problem = componentProblem(parsed.data.components, parsed.data);
  return problem === null ? parsed.data : invalid(problem);
}

/** Returns the initial state of a new template, which its name determines without a review. */
export function stateByName(name: string): TemplateState {
  const ending = /_(pending|rejected|paused|disabled)$/.exec(name)?.[1];
  return ending === undefined ? "APPROVED" : (stateByEnding[ending] ?? "APPROVED");
}

const stateByEnding: Readonly<Record<string, TemplateState>> = {
  pending: "PENDING",
  rejected: "REJECTED",
  paused: "PAUSED",
  disabled: "DISABLED",
};

function componentProblem(components: readonly TemplateComponent[], request: TemplateRequest): string | null {
  const types = components.map(({ type }) => type);
  const repeated = types.find((type, index) => types.indexOf(type) !== index);
  if (repeated !== undefined) return `Param components: there may be only one ${repeated}.`;
  if (!types.includes("BODY")) return "Param components: a BODY is required.";
  for (const component of components) {
    const problem = problemOf(component, request);
    if (problem !== null) return `Param components: ${component.type}: ${problem}`;
  }
  return null;
}

function problemOf(component: TemplateComponent, request: TemplateRequest): string | null {
  switch (component.type) {
    case "HEADER":
      if (component.format !== "TEXT") return null;
      return textProblem(component.text, textLengths.header, 1, request);
    case "BODY":
      // Meta writes the body of an authentication template itself.
      if (request.category === "AUTHENTICATION" && component.text === undefined) return null;
      return textProblem(component.text, textLengths.body, Infinity, request) ?? edgeProblem(component.text);
    case "FOOTER":
      return textProblem(component.text, textLengths.footer, 0, request);
    case "BUTTONS":
      return buttonsProblem(component.buttons);
    case "CAROUSEL":
      return carouselProblem(component.cards, request);
  }
}

/** Meta, "Media card carousel templates": each card has a picture or a video, one or two buttons, and may have a text. */
function carouselProblem(cards: readonly Card[], request: TemplateRequest): string | null {
  const shapes = cards.map(({ components }) => components.map(shapeOf).toSorted().join());
  if (new Set(shapes).size > 1) return "all cards must have the same components.";
  for (const [index, { components }] of cards.entries()) {
    const header = componentOf(components, "HEADER");
    if (header?.format !== "IMAGE" && header?.format !== "VIDEO")
      return `card ${index}: a HEADER with an IMAGE or a VIDEO is required.`;
    const buttons = componentOf(components, "BUTTONS")?.buttons ?? [];
    if (buttons.length < 1 || buttons.length > 2) return `card ${index}: one or two buttons are required.`;
    const body = componentOf(components, "BODY");
    const problem =
      (body && textProblem(body.text, textLengths.cardBody, Infinity, request)) ?? buttonsProblem(buttons);
    if (problem !== null) return `card ${index}: ${problem}`;
  }
  return null;
}

function shapeOf(component: Card["components"][number]): string {
  if (component.type === "HEADER") return `HEADER ${component.format}`;
  if (component.type === "BODY") return "BODY";
  return `BUTTONS ${component.buttons.map(({ type }) => type).join(" ")}`;
}

function textProblem(
  text: string | undefined,
  lengthMax: number,
  placeholdersMax: number,
  { parameter_format }: TemplateRequest,
): string | null {
  if (text === undefined || text.trim() === "") return "text is required.";
  if (Array.from(text).length > lengthMax) return `text must be at most ${lengthMax} characters long.`;
  const names = placeholdersOf(text);
  if (names.length > placeholdersMax) return `text may have ${placeholdersMax} variables.`;
  if (parameter_format === "NAMED") {
    const wrong = names.find((name) => !/^[a-z][a-z0-9_]*$/.test(name));
    return wrong === undefined ? null : `{{${wrong}}} is no name of a variable.`;
  }
  const isSequence = names.every((name) => Number(name) >= 1 && Number(name) <= names.length);
  return isSequence ? null : "variables must be numbered from {{1}} without gaps.";
}

/** Meta's error 2388299: a text may not begin or end with a variable. */
function edgeProblem(text: string | undefined): string | null {
  return /^\s*\{\{|\}\}\s*$/.test(text ?? "")
    ? "variables can't be at the start or the end of the text."
    : null;
}

function buttonsProblem(buttons: readonly TemplateButton[]): string | null {
  for (const [index, { type, text, url, phone_number }] of buttons.entries()) {
    const isLabelled = type === "QUICK_REPLY" || type === "URL" || type === "PHONE_NUMBER" || type === "FLOW";
    if (isLabelled && (text ?? "") === "") return `button ${index}: text is required.`;
    if ((text ?? "").length > textLengths.button) {
      return `button ${index}: text must be at most ${textLengths.button} characters long.`;
    }
    if (type === "PHONE_NUMBER" && (phone_number ?? "") === "")
      return `button ${index}: phone_number is required.`;
    if (type !== "URL") continue;
    if (!/^https?:\/\/\S+$/.test(url ?? "") || (url ?? "").length > textLengths.url) {
      return `button ${index}: url must be a web address of at most ${textLengths.url} characters.`;
    }
    const isAtEnd = placeholdersOf(url).length === 0 || /^[^{}]*\{\{1\}\}$/.test(url ?? "");
    if (!isAtEnd) return `button ${index}: the url's only variable must be {{1}} at its end.`;
  }
  return null;
}
