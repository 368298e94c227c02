import { z } from "zod";
import {
  buttonSchema,
  type Component,
  parsed,
  placeholdersOf,
  templateVariables,
} from "./template-components";

/**
 * Returns the example of each value of a template, by the names of `templateVariables`, as far as the upstream has one
 * (Meta, "Message template components"). Leaves out examples of files: they are addresses that expire. Never throws,
 * whatever the components are.
 */
export function templateExamples(components: readonly unknown[]): Readonly<Record<string, string>> {
  const variables = new Set(templateVariables(components));
  const examples = examplesIn(components, "");
  return Object.fromEntries(
    examples.filter(([variable, example]) => variables.has(variable) && example !== ""),
  );
}

type Example = readonly [variable: string, example: string];

function examplesIn(components: readonly unknown[], prefix: string): Example[] {
  return parsed(components).flatMap((component) => EXAMPLES[component.type]?.(component, prefix) ?? []);
}

/** By the component's type. Others have no examples. */
const EXAMPLES: Readonly<Record<string, (component: Component, prefix: string) => readonly Example[]>> = {
  HEADER: ({ text, example }, prefix) =>
    ofText(text, prefix + "header.", headerSchema.safeParse(example).data),
  BODY: ({ text, example }, prefix) => ofText(text, prefix, bodySchema.safeParse(example).data),
  BUTTONS: ({ buttons }, prefix) =>
    buttons.flatMap((button, index) => ofButton(button, `${prefix}button.${index}.`)),
  CAROUSEL: ({ cards }, prefix) =>
    cards.flatMap(({ components }, index) => examplesIn(components, `${prefix}card.${index}.`)),
};

interface TextExamples {
  readonly numbered: readonly string[];
  readonly named: readonly { readonly param_name: string; readonly example: string }[];
}

const namedSchema = z.array(z.object({ param_name: z.string(), example: z.string() })).catch([]);

const headerSchema = z
  .object({ header_text: z.array(z.string()).catch([]), header_text_named_params: namedSchema })
  .transform((example): TextExamples => ({
    numbered: example.header_text,
    named: example.header_text_named_params,
  }));

/** Meta lists sets of examples, of which it accepts one. */
const bodySchema = z
  .object({ body_text: z.array(z.array(z.string())).catch([]), body_text_named_params: namedSchema })
  .transform((example): TextExamples => ({
    numbered: example.body_text[0] ?? [],
    named: example.body_text_named_params,
  }));

function ofText(text: string | undefined, prefix: string, examples: TextExamples | undefined): Example[] {
  if (examples === undefined) return [];
  const { numbered, named } = examples;
  return placeholdersOf(text ?? "").map((name, index) => [
    prefix + name,
    named.find((one) => one.param_name === name)?.example ?? numbered[index] ?? "",
  ]);
}

const oneOrMore = z
  .union([z.string(), z.array(z.string())])
  .transform((example) => [example].flat()[0] ?? "");

/** The example of a URL may be the whole URL. A value is only what replaces its placeholder. */
function ofButton(button: unknown, prefix: string): Example[] {
  const { data } = buttonSchema.safeParse(button);
  const example = oneOrMore.safeParse(data?.example).data;
  if (data === undefined || example === undefined) return [];
  if (data.type !== "URL") return [[`${prefix}code`, example]];
  return placeholdersOf(data.url).map((name) => {
    const [before = ""] = data.url.split("{{");
    return [prefix + name, example.startsWith(before) ? example.slice(before.length) : example];
  });
}
