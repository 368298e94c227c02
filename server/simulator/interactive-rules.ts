import { asFields, isLonger, type Fields } from "./fields";
import { invalidParameter as invalid, notOneOf, type GraphError } from "./graph-errors";
import { mediaObjectProblem } from "./media-object";

/** A text of an interactive message, at each place that its path matches. */
interface TextLimit {
  /** Field names with dots between. `*` stands for each element of a list. */
  readonly path: string;
  /** As in Meta's error. */
  readonly name: string;
  /** In code points. */
  readonly max: number;
  /** Meta reports an empty text as too short. Without it, an empty text counts as absent. */
  readonly min?: 1;
  readonly isOptional?: true;
}

/** A number of elements. */
interface CountLimit {
  /** Leads to the list, or with `*` at the end to the elements, which are counted over all lists. */
  readonly path: string;
  readonly min: number;
  readonly max: number;
  /** `error_data.details` of Meta's error. */
  readonly details: string;
}

/** Texts that must differ from each other. */
interface Unique {
  readonly path: string;
  readonly details: string;
}

interface InteractiveRule {
  /** The longest `body.text`. Required unless `isBodyOptional`. */
  readonly bodyMax: number;
  readonly isBodyOptional?: true;
  readonly headerTypes: readonly string[];
  readonly counts?: readonly CountLimit[];
  readonly texts?: readonly TextLimit[];
  readonly unique?: readonly Unique[];
  /** Rules that the tables can't express. */
  readonly check?: (content: Fields) => GraphError | null;
}

const anyHeader = ["text", "image", "video", "document"] as const;
const other: InteractiveRule = { bodyMax: 1024, isBodyOptional: true, headerTypes: anyHeader };

/** Limits of each kind of interactive message (Meta, "Interactive messages", 2026-07-02). */
const interactiveRules = {
  button: {
    bodyMax: 1024,
    headerTypes: anyHeader,
    counts: [
      {
        path: "action.buttons",
        min: 1,
        max: 3,
        details: "Invalid buttons count. Min allowed buttons: 1, Max allowed buttons: 3",
      },
    ],
    texts: [
      { path: "action.buttons.*.reply.id", name: "Button id", min: 1, max: 256 },
      { path: "action.buttons.*.reply.title", name: "Button title", min: 1, max: 20 },
    ],
    unique: [
      { path: "action.buttons.*.reply.id", details: "Duplicated button id" },
      { path: "action.buttons.*.reply.title", details: "Duplicated button title" },
    ],
  },
  list: {
    bodyMax: 4096,
    headerTypes: ["text"],
    counts: [
      {
        path: "action.sections",
        min: 1,
        max: 10,
        details: "Invalid sections count. Min allowed sections: 1, Max allowed sections: 10",
      },
      {
        path: "action.sections.*.rows.*",
        min: 0,
        max: 10,
        details: "Total row count exceed max allowed count: 10",
      },
    ],
    texts: [
      { path: "action.button", name: "Button text", min: 1, max: 20 },
      { path: "action.sections.*.title", name: "Section title", max: 24, isOptional: true },
      { path: "action.sections.*.rows.*.id", name: "Row id", max: 200 },
      { path: "action.sections.*.rows.*.title", name: "Row title", max: 24 },
      { path: "action.sections.*.rows.*.description", name: "Row description", max: 72, isOptional: true },
    ],
    unique: [{ path: "action.sections.*.rows.*.id", details: "Duplicated row id" }],
    check: sectionsProblem,
  },
  cta_url: {
    bodyMax: 1024,
    headerTypes: anyHeader,
    texts: [
      { path: "action.parameters.display_text", name: "Button text", min: 1, max: 20 },
      { path: "action.parameters.url", name: "Button URL", max: 2000 },
    ],
  },
  location_request_message: { bodyMax: 1024, headerTypes: anyHeader },
  flow: { bodyMax: 1024, headerTypes: anyHeader },
  product: other,
  product_list: { bodyMax: 1024, headerTypes: ["text"] },
  catalog_message: other,
  carousel: other,
  address_message: other,
  order_details: other,
  order_status: other,
  voice_call: other,
  call_permission_request: other,
} as const satisfies Record<string, InteractiveRule>;

const footerText = { path: "footer.text", name: "Footer text", min: 1, max: 60 } as const;
const headerText = { path: "header.text", name: "Header text", min: 1, max: 60 } as const;

/** Returns the error of the content of an interactive message. Null if it is valid. */
export function interactiveProblem(content: Fields): GraphError | null {
  const { type } = content;
  if (type === undefined) return required("type");
  if (!isInteractiveType(type)) {
    return notOneOf("interactive['type']", Object.keys(interactiveRules), type);
  }
  const rule: InteractiveRule = interactiveRules[type];
  const { bodyMax: max, isBodyOptional } = rule;
  const body: TextLimit = { path: "body.text", name: "Body text", min: 1, max };
  const texts = [...(isBodyOptional && content.body === undefined ? [] : [body]), ...(rule.texts ?? [])];
  return (
    headerProblem(content, rule) ??
    (content.footer === undefined ? null : textProblem(content, footerText)) ??
    first(rule.counts, (limit) => countProblem(content, limit)) ??
    first(texts, (limit) => textProblem(content, limit)) ??
    first(rule.unique, (limit) => uniqueProblem(content, limit)) ??
    rule.check?.(content) ??
    null
  );
}

function isInteractiveType(type: unknown): type is keyof typeof interactiveRules {
  return typeof type === "string" && Object.hasOwn(interactiveRules, type);
}

function headerProblem(content: Fields, { headerTypes }: InteractiveRule): GraphError | null {
  if (content.header === undefined) return null;
  const header = asFields(content.header);
  const type = header?.type;
  if (header === null || typeof type !== "string") return required("header.type");
  if (!headerTypes.includes(type)) {
    return notOneOf("interactive['header']['type']", headerTypes, type);
  }
  if (type === "text") return textProblem(content, headerText);
  const media = asFields(header[type]);
  if (media === null) return required(`header.${type}`);
  return mediaObjectProblem(media, `interactive['header']['${type}']`);
}

function countProblem(content: Fields, { path, min, max, details }: CountLimit): GraphError | null {
  const found = valuesAt(content, path.endsWith(".*") ? path : `${path}.*`);
  const isList = path.endsWith(".*") || valuesAt(content, path).some(({ value }) => Array.isArray(value));
  if (!isList) return required(path);
  return found.length >= min && found.length <= max ? null : { error: "parameter_value_invalid", details };
}

function textProblem(content: Fields, { path, name, min, max, isOptional }: TextLimit): GraphError | null {
  for (const { value, where } of valuesAt(content, path)) {
    const isEmpty = value === "" && min === undefined;
    if (value === undefined || isEmpty) {
      if (isOptional) continue;
      return required(where);
    }
    if (typeof value !== "string") return invalid(`Param ${quoted(where)} must be a string.`);
    if (value.length >= (min ?? 0) && !isLonger(value, max)) continue;
    const details =
      min === undefined
        ? `${name} is too long. Max length is ${max}`
        : `${name} length invalid. Min length: ${min}, Max length: ${max}`;
    return { error: "parameter_value_invalid", details };
  }
  return null;
}

function uniqueProblem(content: Fields, { path, details }: Unique): GraphError | null {
  const values = valuesAt(content, path).map(({ value }) => value);
  return new Set(values).size === values.length ? null : { error: "parameter_value_invalid", details };
}

/** No section may be empty, and several need a title each. */
function sectionsProblem(content: Fields): GraphError | null {
  const titles = valuesAt(content, "action.sections.*.title");
  const untitled = titles.find(({ value }) => value === undefined || value === "");
  if (untitled !== undefined && titles.length > 1) return required(untitled.where);
  const rows = valuesAt(content, "action.sections.*.rows");
  const empty = rows.find(({ value }) => !Array.isArray(value) || value.length === 0);
  return empty === undefined ? null : required(empty.where);
}

interface Found {
  readonly value: unknown;
  /** The path, with indexes instead of `*`. */
  readonly where: string;
}

/** Returns the values that a path leads to. A field that is absent is found as undefined, a list that is absent isn't. */
function valuesAt(content: Fields, path: string): Found[] {
  let found: Found[] = [{ value: content, where: "" }];
  for (const step of path.split(".")) {
    found = found.flatMap(({ value, where }) => {
      const before = where === "" ? "" : `${where}.`;
      if (step !== "*") return [{ value: asFields(value)?.[step], where: before + step }];
      if (!Array.isArray(value)) return [];
      return value.map((element: unknown, index) => ({ value: element, where: `${before}${index}` }));
    });
  }
  return found;
}

/** `action.buttons.0` is `interactive['action']['buttons'][0]`. */
function quoted(where: string): string {
  const steps = where.split(".").map((step) => (/^\d+$/.test(step) ? `[${step}]` : `['${step}']`));
  return `interactive${steps.join("")}`;
}

function required(where: string): GraphError {
  return invalid(`The parameter ${quoted(where)} is required.`);
}

function first<Limit>(
  limits: readonly Limit[] | undefined,
  check: (limit: Limit) => GraphError | null,
): GraphError | null {
  for (const limit of limits ?? []) {
    const problem = check(limit);
    if (problem !== null) return problem;
  }
  return null;
}
