import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openApi, type ApiAnswer } from "@/e2e/support/api";
import { asJson } from "@/e2e/support/contract";
import { startWaypost } from "@/e2e/support/waypost";
import { authentication } from "./authentication";
import { contents } from "./contents";
import { description } from "./description";
import { idempotency } from "./idempotency";
import { journeys } from "./journeys";
import { json } from "./json";
import { limits } from "./limits";
import { lists, paging } from "./lists";
import { managingWebhooks } from "./managing-webhooks";
import { media } from "./media";
import { precedence } from "./precedence";
import { precedenceOfContents } from "./precedence-of-contents";
import { reading } from "./reading";
import type { Exchange, Expected, Journey, Mount, Scenario } from "./scenario";
import { scopes } from "./scopes";
import { template } from "./template";
import { text } from "./text";
import { transport } from "./transport";
import { uploads } from "./uploads";
import { webhooks } from "./webhooks";
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
  media,
  template,
  precedence,
  precedenceOfContents,
  uploads,
  webhooks,
};
const JOURNEYS: Readonly<Record<string, readonly Journey[]>> = {
  journeys,
  contents,
  reading,
  paging,
  description,
  managingWebhooks,
};

const SCENARIO_TIMEOUT_MS = 30_000;
/** The longest waits for a limit of 60 seconds. */
const JOURNEY_TIMEOUT_MS = 90_000;

/** Runs every scenario against a server of its own, through this mount. */
export function describeConformance(mount: Mount): void {
  let shared: SharedWorld | undefined;
  let stop: (() => Promise<unknown>) | undefined;
  const world = () => {
    if (!shared) throw new Error("The server didn't start");
    return worldOf(shared);
  };
  beforeAll(async () => {
    const server = await startWaypost({ env: { WAYPOST_PUBLIC_API_MOUNT: mount } });
    stop = () => server.stop();
    shared = await createWorld(server, await openApi(server.baseUrl));
  });
  afterAll(() => stop?.());

  // At the same time, because some wait for a limit or a deadline of the server's.
  describe.concurrent.each(Object.entries(JOURNEYS))("%s", (_, ofTopic) => {
    const ofMount = ofTopic.filter(({ only = mount }) => only === mount);
    it.for(ofMount)("$name", { timeout: JOURNEY_TIMEOUT_MS }, async ({ run }, { expect }) => {
      expect.hasAssertions();
      await run(world(), expect);
    });
  });
  describe.concurrent.each(Object.entries(SCENARIOS))("%s", (_, ofTopic) => {
    it.for(ofTopic)("$name", { timeout: SCENARIO_TIMEOUT_MS }, async (scenario) => {
      for await (const { told, wanted } of play(scenario, mount, world())) expect(told).toMatchObject(wanted);
    });
  });
}

/** Makes one exchange after the other, and gives what each told beside what was wanted. */
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

/** The answer and the expectation in one shape, so that one assertion shows all that differs. */
function compare(answer: ApiAnswer, { headers = {}, text: pattern, ...members }: Expected) {
  const { status, code, body, text: told } = answer;
  const { field } = asJson(asJson(body).error);
  const named = Object.keys(headers).map((name) => [name, answer.headers[name] ?? null]);
  return {
    told: { status, code, field, body, text: told, headers: Object.fromEntries(named) },
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
