import { refused, send, type Scenario } from "./scenario";
import type { World } from "./world";

const UNKNOWN_ID = "01890a5d-ac96-774b-bcce-b302099a8057";

/** A POST /messages with this template in place of a text. */
function sendTemplate(world: World, template: unknown, changes: Readonly<Record<string, unknown>> = {}) {
  return send(world, { type: "template", template, text: undefined, ...changes });
}

const invalid = (field: string) => refused(400, "validation_failed", field);
const NOT_APPROVED = refused(422, "template_not_approved", "template");
const UNKNOWN = { template_submission_id: UNKNOWN_ID };

const shapes: readonly Scenario[] = [
  ...[undefined, null].map((template): Scenario => ({
    name: `type template with a template that is ${template === null ? "null" : "absent"} is refused`,
    request: (world) => sendTemplate(world, template),
    expected: invalid("template"),
  })),
  ...[
    { named: {}, field: "template.template_submission_id" },
    {
      named: { template_submission_id: null, name: null, language: null },
      field: "template.template_submission_id",
    },
    { named: { variables: { "1": "a" } }, field: "template.template_submission_id" },
    { named: { name: "order" }, field: "template.language" },
    { named: { name: "order", language: null }, field: "template.language" },
    { named: { language: "en_US" }, field: "template.name" },
    { named: { template_submission_id: "order" }, field: "template.template_submission_id" },
    { named: { template_submission_id: 7 }, field: "template.template_submission_id" },
    { named: { name: 7, language: "en_US" }, field: "template.name" },
    { named: { name: "order", language: 7 }, field: "template.language" },
    { named: { ...UNKNOWN, variables: ["a"] }, field: "template.variables" },
    { named: { ...UNKNOWN, variables: { "1": 7 } }, field: "template.variables.1" },
    { named: { ...UNKNOWN, variables: { "1": true } }, field: "template.variables.1" },
    { named: { ...UNKNOWN, variables: { "1": { text: "a" } } }, field: "template.variables.1" },
    { named: { ...UNKNOWN, components: [] }, field: "template.components" },
  ].map(({ named, field }): Scenario => ({
    name: `a template of ${JSON.stringify(named)} is refused by ${field}`,
    request: (world) => sendTemplate(world, named),
    expected: invalid(field),
  })),
  ...[{ text: { body: "Hello" } }, { media: { url: "https://8.8.8.8/a.png" } }].map((changes): Scenario => ({
    name: `${Object.keys(changes)[0]} beside type template is refused`,
    request: (world) => sendTemplate(world, UNKNOWN, changes),
    expected: invalid(Object.keys(changes)[0] ?? ""),
  })),
  {
    name: "NUL in a variable is refused",
    request: (world) => sendTemplate(world, { ...UNKNOWN, variables: { "1": "a\0" } }),
    expected: invalid("template.variables.1"),
  },
];

const unknown: readonly Scenario[] = [
  { name: "an id that nothing has", named: UNKNOWN },
  { name: "a name that nothing has", named: { name: "nothing", language: "en_US" } },
  { name: "an empty name", named: { name: "", language: "" } },
].map(({ name, named }): Scenario => ({
  name: `${name} is no approved template`,
  request: (world) => sendTemplate(world, named),
  expected: NOT_APPROVED,
}));

/** Spec sections 2, 4 and 7, TemplateObject; design section 4, row template. */
export const template: readonly Scenario[] = [...shapes, ...unknown];
