import { randomInt } from "node:crypto";
import { ACCEPTED, refused, REPEATED, send, type Scenario } from "./scenario";
import type { World } from "./world";

const UNKNOWN_ID = "01890a5d-ac96-774b-bcce-b302099a8057";

/** A POST /messages with this template in place of a text. */
export function sendTemplate(
  world: World,
  template: unknown,
  changes: Readonly<Record<string, unknown>> = {},
) {
  return send(world, { type: "template", template, text: undefined, ...changes });
}

export const invalid = (field: string) => refused(400, "validation_failed", field);
export const NOT_APPROVED = refused(422, "template_not_approved", "template");
const MISMATCH = refused(422, "template_variables_mismatch", "template.variables");
export const BY_ANY_NAME = { name: "nothing", language: "en_US" };
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
    ...[
      "",
      "e",
      "EN",
      "english",
      "en-US",
      "en_us",
      "EN_US",
      "en_USA",
      "en_",
      "zh_hant",
      " en",
      "en_US\n",
    ].map((language) => ({ named: { name: "order", language }, field: "template.language" })),
    { named: { ...UNKNOWN, language: "en-US" }, field: "template.language" },
    { named: { ...UNKNOWN, variables: ["a"] }, field: "template.variables" },
    { named: { ...UNKNOWN, variables: { "1": 7 } }, field: "template.variables.1" },
    { named: { ...UNKNOWN, variables: { "1": true } }, field: "template.variables.1" },
    { named: { ...UNKNOWN, variables: { "1": { text: "a" } } }, field: "template.variables.1" },
    ...["", "a\nb", "a\rb", "a\u2028b", "a\tb", "\t", `a${" ".repeat(5)}b`, " ".repeat(6)].map((value) => ({
      named: { ...UNKNOWN, variables: { "0": "a", "1": value } },
      field: "template.variables.1",
    })),
    { named: { ...UNKNOWN, variables: { "header.url": "" } }, field: "template.variables.header.url" },
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
  ...['"a"', "5", "null", '{"1":"a"}'].map((json): Scenario => ({
    name: `a variable __proto__ is refused, with the value ${json}`,
    // Only JSON can create a member of that name.
    request: (world) => sendTemplate(world, { ...UNKNOWN, variables: JSON.parse(`{"__proto__":${json}}`) }),
    expected: invalid("template.variables.__proto__"),
  })),
];

const unknown: readonly Scenario[] = [
  { name: "an id that nothing has", named: UNKNOWN },
  { name: "a name that nothing has", named: { name: "nothing", language: "en_US" } },
  { name: "an empty name", named: { name: "", language: "en" } },
  ...["fil", "en", "pt_BR", "zh_Hant", "prs_AF"].map((language) => ({
    name: `a name that nothing has in the language ${language}`,
    named: { name: "nothing", language },
  })),
  { name: "an id that nothing has, beside a name and a language", named: { ...UNKNOWN, ...BY_ANY_NAME } },
].map(({ name, named }): Scenario => ({
  name: `${name} is no approved template`,
  request: (world) => sendTemplate(world, named),
  expected: NOT_APPROVED,
}));

type Named = (world: World) => Readonly<Record<string, unknown>>;

/** The demo's approved template, named in each of these ways. */
export const BY_ID: Named = ({ demo: { templates } }) => ({
  template_submission_id: templates.approved.template_submission_id,
});
export const BY_NAME: Named = ({ demo: { templates } }) => ({
  name: templates.approved.name,
  language: templates.approved.language,
});
export const withVariables = (named: Named, changes: Readonly<Record<string, unknown>> = {}) => {
  return (world: World) => ({
    ...named(world),
    variables: { ...world.demo.templates.approved.variables, ...changes },
  });
};
const closedWindow = ({ demo }: World) => ({
  to: { kind: "whatsapp", handle: demo.contacts.closed_window.handle },
});

const approved: readonly Scenario[] = [
  ...[
    { name: "its id", named: BY_ID },
    {
      name: "its id in capital letters",
      named: ({ demo: { templates } }: World) => ({
        template_submission_id: templates.approved.template_submission_id.toUpperCase(),
      }),
    },
    { name: "name and language", named: BY_NAME },
    { name: "id, name and language", named: (world: World) => ({ ...BY_ID(world), ...BY_NAME(world) }) },
    {
      name: "id and name",
      named: (world: World) => ({ ...BY_NAME(world), ...BY_ID(world), language: null }),
    },
  ].map(({ name, named }): Scenario => ({
    name: `an approved template is accepted by ${name}`,
    request: (world) => sendTemplate(world, withVariables(named)(world)),
    expected: ACCEPTED,
  })),
  {
    name: "a template needs no open window",
    request: (world) => sendTemplate(world, withVariables(BY_ID)(world), closedWindow(world)),
    expected: ({ demo }) => ({
      ...ACCEPTED,
      body: { ...ACCEPTED.body, thread_id: demo.contacts.closed_window.thread_id },
    }),
  },
  {
    name: "a template to a contact without a conversation makes the conversation",
    request: (world) =>
      sendTemplate(world, withVariables(BY_ID)(world), {
        to: { kind: "whatsapp", handle: world.demo.contacts.no_conversation.handle },
      }),
    expected: ({ demo }) => ({
      ...ACCEPTED,
      body: { ...ACCEPTED.body, contact_id: demo.contacts.no_conversation.contact_id },
    }),
  },
  {
    name: "a template to a new number makes the contact",
    request: (world) =>
      sendTemplate(world, withVariables(BY_ID)(world), {
        to: { kind: "whatsapp", handle: `4915${randomInt(10_000_000, 90_000_000)}` },
      }),
    expected: ACCEPTED,
  },
  {
    name: "a template is repeated by the same body, null being absent, and not by another",
    steps: [
      { request: (world) => sendTemplate(world, withVariables(BY_ID)(world)), expected: ACCEPTED },
      {
        request: (world) =>
          sendTemplate(
            world,
            { ...withVariables(BY_ID, { "9": null })(world), name: null, language: null },
            { media: null },
          ),
        expected: REPEATED,
      },
      {
        request: (world) => sendTemplate(world, withVariables(BY_ID, { "1": "Other" })(world)),
        expected: { ...refused(409, "idempotency_key_reused"), text: /template\.variables\.1/ },
      },
      {
        request: (world) => sendTemplate(world, withVariables(BY_NAME)(world)),
        expected: { ...refused(409, "idempotency_key_reused"), text: /template\.name/ },
      },
    ],
  },
  {
    name: "a template needs the scope templates:read",
    request: (world) => ({
      ...sendTemplate(world, withVariables(BY_ID)(world)),
      key: world.keys.sendsToKnown.secret,
    }),
    expected: { ...refused(403, "missing_scope"), text: /templates:read/ },
  },
];

const notApproved: readonly Scenario[] = [
  ...(["pending", "rejected"] as const).flatMap((state): Scenario[] => [
    {
      name: `a template that is ${state} is refused by its id`,
      request: (world) => sendTemplate(world, world.demo.templates[state]),
      expected: { ...NOT_APPROVED, text: new RegExp(state) },
    },
    {
      name: `a template that is ${state} is refused by name and language`,
      request: (world) =>
        sendTemplate(world, { ...world.demo.templates[state], template_submission_id: undefined }),
      expected: NOT_APPROVED,
    },
  ]),
  ...[
    { name: "another language", given: () => ({ language: "de" }) },
    {
      name: "another name",
      given: ({ demo }: World) => ({ name: demo.templates.approved.name.toUpperCase() }),
    },
  ].map(({ name, given }): Scenario => ({
    name: `a template by ${name} than it has is refused`,
    request: (world) => sendTemplate(world, { ...withVariables(BY_NAME)(world), ...given(world) }),
    expected: NOT_APPROVED,
  })),
  {
    name: "another organization's template is refused",
    request: (world) => sendTemplate(world, world.other.templates.approved),
    expected: NOT_APPROVED,
  },
  {
    name: "a template of another channel than the message's is refused",
    request: (world) =>
      sendTemplate(world, withVariables(BY_ID)(world), { channel_id: world.demo.channels.second }),
    expected: NOT_APPROVED,
  },
];

const variables: readonly Scenario[] = [
  ...[
    { name: "none", template: BY_ID },
    { name: "variables that are null", template: (world: World) => ({ ...BY_ID(world), variables: null }) },
    { name: "an empty object", template: (world: World) => ({ ...BY_ID(world), variables: {} }) },
    { name: "one too few", template: withVariables(BY_ID, { "2": undefined }) },
    { name: "one that is null", template: withVariables(BY_ID, { "2": null }) },
    { name: "one too many", template: withVariables(BY_ID, { "3": "x" }) },
    { name: "one by another name", template: withVariables(BY_NAME, { "2": null, two: "x" }) },
  ].map(({ name, template }): Scenario => ({
    name: `the variables are refused where the message brings ${name}`,
    request: (world) => sendTemplate(world, template(world)),
    expected: MISMATCH,
  })),
  {
    name: "values with four spaces in a row are taken",
    request: (world) =>
      sendTemplate(
        world,
        withVariables(BY_ID, { "1": `a${" ".repeat(4)}b${" ".repeat(4)}c`, "2": "x" })(world),
      ),
    expected: ACCEPTED,
  },
  {
    name: "an empty value is refused before names that aren't the template's",
    request: (world) => sendTemplate(world, withVariables(BY_ID, { "3": "" })(world)),
    expected: invalid("template.variables.3"),
  },
  ...[" ", "\u200b", "a\vb", "a\fb", "a\u0085b"].map((value): Scenario => ({
    name: `a value of ${JSON.stringify(value)} is refused: it is blank, or has a line break`,
    request: (world) => sendTemplate(world, withVariables(BY_ID, { "2": value })(world)),
    expected: invalid("template.variables.2"),
  })),
  {
    name: "a value that isn't text is refused as invalid, before the names are looked at",
    request: (world) => sendTemplate(world, withVariables(BY_ID, { "3": 3 })(world)),
    expected: invalid("template.variables.3"),
  },
];

/** A template is named by its id, or by name and language; it must be approved, and the variables must match it. */
export const template: readonly Scenario[] = [
  ...shapes,
  ...unknown,
  ...approved,
  ...notApproved,
  ...variables,
];
