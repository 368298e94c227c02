import { z } from "zod";

/** State of a template, in Meta's words. */
export const templateStates = ["PENDING", "APPROVED", "REJECTED", "PAUSED", "DISABLED"] as const;
export type TemplateState = (typeof templateStates)[number];

export const templateCategories = ["AUTHENTICATION", "MARKETING", "UTILITY"] as const;
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

/** A component of a template, in the format in which it is created and listed. */
export const componentSchema = z.discriminatedUnion("type", [
  headerSchema,
  bodySchema,
  footerSchema,
  buttonsSchema,
]);

export type TemplateComponent = z.infer<typeof componentSchema>;
export type TemplateButton = z.infer<typeof buttonSchema>;

export const parameterFormats = ["POSITIONAL", "NAMED"] as const;

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
