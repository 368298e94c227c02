import { asFields, listOfFields, type Fields } from "./fields";
import type { GraphErrorName, GraphError } from "./graph-errors";
import { linkProblem } from "./media-object";
import type { Recipient } from "./message-request";
import {
  componentOf,
  headerMediaFormats,
  placeholdersOf,
  type Template,
  type TemplateComponent,
  type TemplateState,
} from "./templates";

const refusalByState = {
  APPROVED: null,
  PENDING: "template_unknown",
  REJECTED: "template_unknown",
  PAUSED: "template_paused",
  DISABLED: "template_disabled",
} as const satisfies Record<TemplateState, GraphErrorName | null>;

const bodyLengthMax = 1024;
const textParameterTypes = ["text", "currency", "date_time"];

/** Returns why Meta would refuse a message with this template and these parameters. Null if it wouldn't. */
export function templateSendProblem(
  template: Template | null,
  content: Fields,
  recipient: Recipient,
): GraphError | null {
  if (template === null) {
    const { name, language } = content;
    const code = asFields(language)?.code;
    return {
      error: "template_unknown",
      details: `template name (${String(name).slice(0, 512)}) does not exist in ${String(code).slice(0, 20)}`,
    };
  }
  const error = refusalByState[template.status];
  if (error !== null) return { error };
  const { components } = template;
  if (recipient.kind === "user" && hasCodeButton(components)) return { error: "user_id_unsupported" };
  const given = listOfFields(content.components);
  return partsProblem(components, given) ?? carouselProblem(components, given);
}

/** A button that copies or fills in a one-time code. */
function hasCodeButton(components: Components): boolean {
  return (componentOf(components, "BUTTONS")?.buttons ?? []).some(({ type }) => type === "OTP");
}

function partsProblem(components: Components, given: Given): GraphError | null {
  return (
    headerProblem(components, given) ?? bodyProblem(components, given) ?? buttonsProblem(components, given)
  );
}

/** Each card of the template must be given once, by its index. */
function carouselProblem(components: Components, given: Given): GraphError | null {
  const cards = componentOf(components, "CAROUSEL")?.cards ?? [];
  const givenCards = listOfFields(givenOfType(given, "carousel")?.cards);
  if (givenCards.length !== cards.length) return countProblem("carousel", givenCards.length, cards.length);
  for (const [index, card] of cards.entries()) {
    const found = givenCards.find(({ card_index }) => Number(card_index) === index);
    if (found === undefined)
      return { error: "parameter_missing", details: `carousel: there is no card with card_index ${index}` };
    const problem = partsProblem(card.components, listOfFields(found.components));
    if (problem === null) continue;
    const { details } = problem;
    return details === undefined ? problem : { ...problem, details: `carousel: card ${index}: ${details}` };
  }
  return null;
}

type Given = readonly Fields[];
type Components = readonly TemplateComponent[];

function parametersOf(component: Fields | undefined): Fields[] {
  return listOfFields(component?.parameters);
}

function givenOfType(given: Given, type: string): Fields | undefined {
  return given.find((component) => String(component.type).toLowerCase() === type);
}

function headerProblem(components: Components, given: Given): GraphError | null {
  const header = componentOf(components, "HEADER");
  const parameters = parametersOf(givenOfType(given, "header"));
  if (header === null) return parameters.length === 0 ? null : countProblem("header", parameters.length, 0);
  if (header.format === "TEXT") return textProblem("header", header.text, parameters);
  const [parameter] = parameters;
  const received = typeof parameter?.type === "string" ? parameter.type.toUpperCase() : "UNKNOWN";
  if (received !== header.format) {
    return {
      error: "template_parameter_format",
      details: `header: Format mismatch, expected ${header.format}, received ${received}`,
    };
  }
  if (!headerMediaFormats.some((format) => format === header.format)) return null;
  const media = asFields(parameter?.[received.toLowerCase()]);
  if (typeof media?.link === "string") return linkProblem(media.link, `${received.toLowerCase()}['link']`);
  if (typeof media?.id === "string") return null;
  return { error: "parameter_missing", details: "header: Either id or link is required." };
}

function bodyProblem(components: Components, given: Given): GraphError | null {
  const body = componentOf(components, "BODY");
  const parameters = parametersOf(givenOfType(given, "body"));
  const problem = textProblem("body", body?.text, parameters);
  if (problem !== null) return problem;
  const texts = parameters.map(({ text }) => (typeof text === "string" ? text : ""));
  const placeholders = (body?.text ?? "").replace(/\{\{[^{}]*\}\}/g, "");
  if (Array.from(placeholders + texts.join("")).length <= bodyLengthMax) return null;
  return {
    error: "template_text_too_long",
    details: `body: the text has more than ${bodyLengthMax} characters`,
  };
}

function textProblem(
  where: string,
  text: string | undefined,
  parameters: readonly Fields[],
): GraphError | null {
  const names = placeholdersOf(text);
  if (parameters.length !== names.length) return countProblem(where, parameters.length, names.length);
  const isNamed = names.some((name) => !/^[0-9]+$/.test(name));
  for (const [index, parameter] of parameters.entries()) {
    if (isNamed && !names.some((name) => name === parameter.parameter_name)) {
      return { error: "parameter_invalid", message: "(#100) Parameter name is missing or empty" };
    }
    const problem = textParameterProblem(`${where}: parameter ${index}`, parameter);
    if (problem !== null) return problem;
  }
  return null;
}

function countProblem(where: string, given: number, expected: number): GraphError {
  return {
    error: "template_parameter_count",
    details: `${where}: number of localizable_params (${given}) does not match the expected number of params (${expected})`,
  };
}

function textParameterProblem(where: string, { type, text }: Fields): GraphError | null {
  if (!textParameterTypes.some((known) => known === type)) {
    const received = typeof type === "string" ? type.toUpperCase().slice(0, 40) : "UNKNOWN";
    return {
      error: "template_parameter_format",
      details: `${where}: Format mismatch, expected TEXT, received ${received}`,
    };
  }
  if (type !== "text") return null;
  if (typeof text !== "string" || text === "") {
    return { error: "parameter_missing", details: `${where}: Parameter of type text is missing text value` };
  }
  return /[\n\t]| {5}/.test(text) ? { error: "template_parameter_invalid" } : null;
}

/** Required parameters of a button, by its type. Types without an entry need none. */
const buttonNeeds: Readonly<Record<string, { sub_type: string; field: string }>> = {
  URL: { sub_type: "url", field: "text" },
  OTP: { sub_type: "url", field: "text" },
  COPY_CODE: { sub_type: "copy_code", field: "coupon_code" },
};

function buttonsProblem(components: Components, given: Given): GraphError | null {
  const buttons = componentOf(components, "BUTTONS")?.buttons ?? [];
  const givenButtons = given.filter(({ type }) => String(type).toLowerCase() === "button");
  const beyond = givenButtons.find(({ index }) => !(Number(index) >= 0 && Number(index) < buttons.length));
  if (beyond !== undefined) {
    return {
      error: "template_parameter_count",
      details: `buttons: there is no button at index ${String(beyond.index)}`,
    };
  }
  for (const [index, { type, url }] of buttons.entries()) {
    const need = buttonNeeds[type];
    if (need === undefined || (type === "URL" && placeholdersOf(url).length === 0)) continue;
    const component = givenButtons.find((candidate) => Number(candidate.index) === index);
    if (component === undefined) {
      return {
        error: "parameter_missing",
        details: `buttons: Button at index ${index} of type ${type} requires a parameter`,
      };
    }
    const value = parametersOf(component)[0]?.[need.field];
    if (
      String(component.sub_type).toLowerCase() !== need.sub_type ||
      typeof value !== "string" ||
      value === ""
    ) {
      return {
        error: "template_parameter_format",
        details: `buttons: Button at index ${index} expects sub_type ${need.sub_type} and a parameter with ${need.field}`,
      };
    }
  }
  return null;
}
