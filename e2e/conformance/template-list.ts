import { expect } from "vitest";
import { get, page } from "./lists";
import { refused, type Scenario } from "./scenario";
import type { World } from "./world";

const STATES = ["approved", "pending", "rejected"] as const;

/** On the default channel one in every state and one of every shape, and an approved one on the second. */
const TEMPLATES = [
  ...STATES.map((state) => ({ key: state, state, channel: "default" as const })),
  { key: "approved_with_buttons" as const, state: "approved" as const, channel: "default" as const },
  { key: "approved_carousel" as const, state: "approved" as const, channel: "default" as const },
  { key: "approved_on_second" as const, state: "approved" as const, channel: "second" as const },
];

function templateOf({ demo }: World, { key, state, channel }: (typeof TEMPLATES)[number]) {
  const { template_submission_id, name, language, variables } = demo.templates[key];
  return {
    template_submission_id,
    channel_id: demo.channels[channel],
    name,
    language,
    category: key === "approved_carousel" ? "marketing" : "utility",
    state,
    variables: expect.arrayContaining(Object.keys(variables)),
    body: expect.stringContaining("{{1}}"),
  };
}

const ofKey = (world: World, wanted: (typeof TEMPLATES)[number]["key"]) =>
  TEMPLATES.filter(({ key }) => key === wanted).map((one) => templateOf(world, one));

/** `GET /templates`. */
export const templateList: readonly Scenario[] = [
  {
    name: "templates are told in every state, with what a message must bring",
    request: get("/templates"),
    expected: (world) => page(...TEMPLATES.map((one) => templateOf(world, one))),
  },
  ...STATES.map((state): Scenario => ({
    name: `templates can be those that are ${state}`,
    request: get(`/templates?state=${state}`),
    expected: (world) =>
      page(...TEMPLATES.filter((one) => one.state === state).map((one) => templateOf(world, one))),
  })),
  {
    name: "templates can be those of a name on a channel",
    request: ({ demo, keys }) => ({
      path: `/templates?name=${demo.templates.pending.name}&channel_id=${demo.channels.default}`,
      key: keys.main.secret,
    }),
    expected: (world) => page(...ofKey(world, "pending")),
  },
  {
    name: "a key limited to a channel lists no template of another",
    request: get("/templates", "secondChannel"),
    expected: (world) => page(...ofKey(world, "approved_on_second")),
  },
  {
    name: "listing templates needs templates:read",
    request: get("/templates", "sendsOnly"),
    expected: { ...refused(403, "missing_scope"), text: /templates:read/ },
  },
  ...["APPROVED", "sent", ""].map((state): Scenario => ({
    name: `templates of state "${state}" are refused`,
    request: get(`/templates?state=${state}`),
    expected: refused(400, "validation_failed", "state"),
  })),
];
