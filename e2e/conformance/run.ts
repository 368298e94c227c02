import { beforeAll, describe, expect, it } from "vitest";
import { openApi, type ApiAnswer } from "@/e2e/support/api";
import { asJson } from "@/e2e/support/contract";
import { askSharedServer } from "@/e2e/support/shared-server";
import { authentication } from "./authentication";
import { contents } from "./contents";
import { conversations, conversing } from "./conversations";
import { description } from "./description";
import { events } from "./events";
import { idempotency } from "./idempotency";
import { journeys } from "./journeys";
import { json } from "./json";
import { limits } from "./limits";
import { lists, paging } from "./lists";
import { managingWebhooks } from "./managing-webhooks";
import { marking, marks } from "./marks";
import { media } from "./media";
import { mediaAddresses } from "./media-addresses";
import { precedence } from "./precedence";
import { precedenceOfContents } from "./precedence-of-contents";
import { reading } from "./reading";
import type { Exchange, Expected, Journey, Mount, Scenario } from "./scenario";
import { roundtrips } from "./roundtrips";
import { scopes } from "./scopes";
import { template } from "./template";
import { templateList } from "./template-list";
import { templateSelectors } from "./template-selectors";
import { text } from "./text";
import { touchRefusals } from "./touch-refusals";
import { touches } from "./touches";
import { transport } from "./transport";
import { uploads } from "./uploads";
import { webhooks } from "./webhooks";
import { missingStep } from "@/server/testing";
import { createWorld, worldOf, type SharedWorld, type World } from "./world";

const SCENARIOS: Readonly<Record<string, readonly Scenario[]>> = {
  authentication,
  scopes,
  transport,
  json,
  idempotency,
  limits,
  text,
  lists,
  marks,
  conversations,
  media,
  mediaAddresses,
  touchRefusals,
  template,
  templateSelectors,
  templateList,
  precedence,
  precedenceOfContents,
  uploads,
  webhooks,
};
const JOURNEYS: Readonly<Record<string, readonly Journey[]>> = {
  journeys,
  contents,
  touches,
  roundtrips,
  reading,
  paging,
  conversing,
  description,
  events,
  marking,
  managingWebhooks,
};

/**
 * Runs scenarios and journeys in organizations of their own on the shared server, through this mount.
 * @param isWanted skips those for which it returns false; every route of the published document must be requested
 * anyway.
 */
export function describeConformance(
  mount: Mount,
  isWanted: (topic: string, name: string) => boolean = () => true,
): void {
  let shared: SharedWorld | undefined;
  const world = () => {
    if (!shared) throw new Error("The server didn't start");
    return worldOf(shared);
  };
  beforeAll(async () => {
    const server = await askSharedServer();
    const { baseUrl } = mount === "node" ? server : await server.secondProcess();
    shared = await createWorld(server, await openApi(baseUrl));
  });

  // Concurrently, because some wait for a limit or a deadline of the server.
  describe.concurrent.each(wanted(JOURNEYS, isWanted))("%s", (_, ofTopic) => {
    const ofMount = ofTopic.filter(({ only = mount }) => only === mount);
    it.for(ofMount)("$name", async ({ run }, { expect }) => {
      expect.hasAssertions();
      await run(world(), expect);
    });
  });
  describe.concurrent.each(wanted(SCENARIOS, isWanted))("%s", (_, ofTopic) => {
    it.for(ofTopic)("$name", async (scenario) => {
      for await (const { reported, wanted } of play(scenario, mount, world()))
        expect(reported).toMatchObject(wanted);
    });
  });

  // Runs after all others.
  it("every route of the published document has been asked", () => {
    const hint = mount === "next" ? ", or its scenario in OF_ROUTES of next-mount.test.ts" : "";
    expect(world().api.unasked(), `${missingStep("Conformance")}${hint}`).toEqual([]);
  });
}

/** Returns the entries with wanted items, reduced to those. */
function wanted<Item extends { readonly name: string }>(
  topics: Readonly<Record<string, readonly Item[]>>,
  isWanted: (topic: string, name: string) => boolean,
): [string, readonly Item[]][] {
  return Object.entries(topics)
    .map(([topic, items]): [string, readonly Item[]] => [
      topic,
      items.filter(({ name }) => isWanted(topic, name)),
    ])
    .filter(([, items]) => items.length > 0);
}

/** Makes one exchange after the other, and yields each response with its expectation. */
async function* play(scenario: Scenario, mount: Mount, world: World) {
  const other = scenario.elsewhere?.mount === mount ? scenario.elsewhere.expected : null;
  const steps: readonly Exchange[] = "steps" in scenario ? scenario.steps : [scenario];
  for (const { request, expected } of steps) {
    if (other) yield compare(await world.api.callUnchecked(request(world)), other);
    else yield compare(await world.api.call(request(world)), resolve(expected, world));
  }
}

function resolve(expected: Exchange["expected"], world: World): Expected {
  return typeof expected === "function" ? expected(world) : expected;
}

/** Converts response and expectation to one shape, so that one assertion shows all differences. */
function compare(answer: ApiAnswer, { headers = {}, text: pattern, ...members }: Expected) {
  const { status, code, body, text: reported } = answer;
  const { field } = asJson(asJson(body).error);
  const named = Object.keys(headers).map((name) => [name, answer.headers[name] ?? null]);
  return {
    reported: { status, code, field, body, text: reported, headers: Object.fromEntries(named) },
    wanted: {
      ...members,
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [
          name,
          value instanceof RegExp ? expect.stringMatching(value) : value,
        ]),
      ),
      ...(pattern ? { text: expect.stringMatching(pattern) } : {}),
    },
  };
}
