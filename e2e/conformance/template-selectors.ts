import { expect } from "vitest";
import { ACCEPTED, refused, type Scenario } from "./scenario";
import { BY_ANY_NAME, BY_ID, BY_NAME, invalid, NOT_APPROVED, sendTemplate, withVariables } from "./template";
import type { World } from "./world";

const CONTRADICTIONS = {
  "the name of another template": {
    given: ({ demo }: World) => ({ name: demo.templates.pending.name }),
    field: "template.name",
  },
  "its name in capital letters": {
    given: ({ demo }: World) => ({ name: demo.templates.approved.name.toUpperCase() }),
    field: "template.name",
  },
  "an empty name": { given: () => ({ name: "" }), field: "template.name" },
  "another language": { given: () => ({ language: "de" }), field: "template.language" },
  "another name and another language": {
    given: () => BY_ANY_NAME,
    field: "template.name",
  },
  "another name, on another channel": {
    given: ({ demo }: World) => ({
      template_submission_id: demo.templates.approved_on_second.template_submission_id,
    }),
    field: "template.name",
  },
} as const;

const contradictions: readonly Scenario[] = Object.entries(CONTRADICTIONS).map(
  ([name, { given, field }]): Scenario => ({
    name: `an id beside ${name} is refused as a contradiction`,
    request: (world) =>
      sendTemplate(
        world,
        { ...withVariables(BY_ID)(world), ...BY_NAME(world), ...given(world) },
        { channel_id: world.demo.channels.default },
      ),
    expected: invalid(field),
  }),
);

/** The demo's template on its second channel. */
const onSecond = ({ demo }: World) => {
  const { template_submission_id, variables } = demo.templates.approved_on_second;
  return { template_submission_id, variables };
};
/** A contact who has written to the default channel only. */
const ON_DEFAULT = "open_window";

const channels: readonly Scenario[] = [
  {
    name: "without a channel_id the template's channel is used, though the customer wrote to another",
    request: (world) => sendTemplate(world, onSecond(world)),
    expected: ({ demo }) => ({
      ...ACCEPTED,
      body: {
        ...ACCEPTED.body,
        contact_id: demo.contacts[ON_DEFAULT].contact_id,
        thread_id: expect.not.stringContaining(demo.contacts[ON_DEFAULT].thread_id),
      },
    }),
  },
  {
    name: "a channel_id other than the template's is used, and has no such template",
    request: (world) => sendTemplate(world, onSecond(world), { channel_id: world.demo.channels.default }),
    expected: NOT_APPROVED,
  },
  {
    name: "a thread on another channel than the template's has no such template",
    request: (world) =>
      sendTemplate(world, onSecond(world), {
        to: undefined,
        thread_id: world.demo.contacts[ON_DEFAULT].thread_id,
      }),
    expected: NOT_APPROVED,
  },
  {
    name: "a template named without its id decides on no channel",
    request: (world) => {
      const { name, language, variables } = world.demo.templates.approved_on_second;
      return sendTemplate(world, { name, language, variables });
    },
    expected: NOT_APPROVED,
  },
  {
    name: "a template whose channel the key may not use is refused",
    request: (world) => ({
      ...sendTemplate(world, withVariables(BY_ID)(world)),
      key: world.keys.secondChannel.secret,
    }),
    expected: refused(403, "channel_forbidden", "template.template_submission_id"),
  },
];

/** Values given beside a template's id, and the channel that the id determines. */
export const templateSelectors: readonly Scenario[] = [...contradictions, ...channels];
