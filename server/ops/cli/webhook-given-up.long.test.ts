import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { freePort } from "@/e2e/support/free-port";
import { until } from "@/e2e/support/until";
import { type ListenWorld, openListenWorld } from "@/server/ops/cli/listen/testing";

let world: ListenWorld;
let here: Awaited<ReturnType<ListenWorld["begin"]>>;

beforeAll(async () => void (world = await openListenWorld()));
beforeEach(async () => void (here = await world.begin()));
afterAll(() => world.close());

test("what was given up comes again where another begins with it, and until then that is said once", async () => {
  world.receiver.answersStatus(500);
  const listener = world.start([...here.org, "--json"]);
  await listener.listening();
  const written = [await here.write(), await here.write()];
  const givenUp = () => listener.stdout().match(/"event"/g)?.length === 2;
  await until("both are given up", givenUp);
  const { stdout, stderr } = await listener.stop();
  const [, first] = stdout.split("\n").map((line) => (line === "" ? null : JSON.parse(line)));
  expect(first).toMatchObject({
    failed_try: { type: "message.received", status: 500, failure: null, tries: 1, again_after_ms: 300 },
  });
  expect(stdout.match(/"failed_try"/g)).toHaveLength(6);
  expect(stderr.match(/doesn't post failed events again/g)).toHaveLength(1);
  world.receiver.calls.length = 0;
  world.receiver.answersStatus(204);
  const another = world.start([...here.org, "--since", "5m"]);
  await world.received(2);
  const came = world.receiver.calls.map(({ body }) => JSON.parse(body).data.contact_id);
  expect(came).toEqual(written);
  await another.stop();
});

test("where nothing listens yet, that is said", async () => {
  const to = `http://127.0.0.1:${await freePort()}/hook`;
  const listener = world.start([...here.org, "--forward", to]);
  await listener.listening();
  await here.write();
  await until("it is said", () =>
    /nothing listens there .* failed after 4 attempts$/m.test(listener.stdout()),
  );
  expect((await listener.stop()).stdout).toContain("Stopped. 0 accepted, 1 not accepted.");
});
