import { expect, test } from "vitest";
import type { Simulator } from "./start";
import { eventually } from "../../e2e/support/eventually";
import {
  call,
  numberFor,
  owedTotal,
  phoneNumberId,
  putNumbers,
  signatureOf,
  startForTest,
  startReceiver,
  startWithReceiver,
  type Answer,
} from "./testing";

const wabaId = "102290129340398";
const path = `/v24.0/${wabaId}/message_templates`;
const authorization = "Bearer token-of-the-test";
const body = { type: "BODY", text: "Hello {{1}}, your order {{2}} is on its way." };

function create(simulator: Simulator, changes: object = {}): Promise<Answer> {
  const template = { name: "order_sent", language: "en_US", category: "UTILITY", components: [body] };
  return call(simulator, "POST", path, { ...template, ...changes }, { authorization });
}

interface List {
  readonly data: { id: string; name: string; language: string; status: string }[];
  readonly paging?: { cursors: { before: string; after: string }; next?: string; previous?: string };
}

async function list(simulator: Simulator, query = ""): Promise<List> {
  const answer = await call(simulator, "GET", `${path}${query}`, undefined, { authorization });
  expect(answer.status).toBe(200);
  return answer.body as List;
}

test.each([
  { name: "order_sent", status: "APPROVED" },
  { name: "order_pending", status: "PENDING" },
  { name: "order_rejected", status: "REJECTED" },
  { name: "order_paused", status: "PAUSED" },
  { name: "order_disabled", status: "DISABLED" },
  { name: "pending_order", status: "APPROVED" },
])("a template named $name is $status at once, and so it is listed", async ({ name, status }) => {
  const { simulator } = await startWithReceiver();
  const { status: httpStatus, body: created } = await create(simulator, { name });
  expect([httpStatus, created]).toEqual([
    200,
    { id: expect.stringMatching(/^[0-9]{15}$/), status, category: "UTILITY" },
  ]);
  expect((await list(simulator)).data).toEqual([
    {
      id: (created as { id: string }).id,
      name,
      language: "en_US",
      category: "UTILITY",
      status,
      components: [body],
      parameter_format: "POSITIONAL",
    },
  ]);
});

test("a template against the rules is refused and not kept", async () => {
  const { simulator } = await startWithReceiver();
  for (const changes of [{ name: "Order" }, { components: [] }]) {
    expect(await create(simulator, changes)).toMatchObject({ status: 400, body: { error: { code: 100 } } });
  }
  expect((await list(simulator)).data).toEqual([]);
});

test("everything that a template may have is taken, also in lower case", async () => {
  const { simulator } = await startWithReceiver();
  const components = [
    { type: "header", format: "image", example: { header_handle: ["4::aW"] } },
    { type: "body", text: "Hello {{customer_name}}, it is {{what}}!" },
    { type: "footer", text: "Reply STOP to end" },
    {
      type: "buttons",
      buttons: [
        { type: "quick_reply", text: "Yes" },
        { type: "url", text: "Track", url: "https://example.com/t/{{1}}", example: ["1"] },
        { type: "phone_number", text: "Call", phone_number: "+15550783881" },
        { type: "copy_code", example: "A1" },
      ],
    },
  ];
  const answer = await create(simulator, { category: "marketing", parameter_format: "named", components });
  expect(answer).toMatchObject({ status: 200, body: { category: "MARKETING" } });
  const authentication = {
    name: "code",
    category: "AUTHENTICATION",
    components: [
      { type: "BODY", add_security_recommendation: true },
      { type: "BUTTONS", buttons: [{ type: "OTP", otp_type: "COPY_CODE" }] },
    ],
  };
  expect((await create(simulator, authentication)).status).toBe(200);
});

test("one name and language exists once, in each account", async () => {
  const { simulator, receiver } = await startWithReceiver();
  await putNumbers(simulator, [
    numberFor(receiver.url, { phone_number_id: "222", waba_id: "777", access_token: "token-2" }),
  ]);
  const answers = await Promise.all([create(simulator), create(simulator)]);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(await create(simulator)).toMatchObject({ body: { error: { code: 100, error_subcode: 2388024 } } });
  expect((await create(simulator, { language: "de" })).status).toBe(200);
  const other = await call(
    simulator,
    "POST",
    "/v24.0/777/message_templates",
    { name: "order_sent", language: "en_US", category: "UTILITY", components: [body] },
    { authorization: "Bearer token-2" },
  );
  expect(other.status).toBe(200);
  expect((await list(simulator)).data.map(({ language }) => language)).toEqual(["en_US", "de"]);
});

test("the list is paged in both directions, and keeps over a restart", async () => {
  const { simulator, directory } = await startWithReceiver();
  const names = Array.from({ length: 7 }, (_, index) => `order_${index}`);
  for (const name of names) await create(simulator, { name });
  await simulator.stop();
  const again = await startForTest(directory);

  const seen: string[][] = [];
  let query = "?fields=name&limit=3";
  for (;;) {
    const { data, paging } = await list(again, query);
    seen.push(data.map(({ name }) => name));
    if (paging?.next === undefined) break;
    expect(paging.next).toMatch(/^http:\/\/127\.0\.0\.1:[0-9]+\/v24\.0\/.*fields=name.*after=/);
    query = `?fields=name&limit=3&after=${paging.cursors.after}`;
  }
  expect(seen).toEqual([names.slice(0, 3), names.slice(3, 6), names.slice(6)]);

  const last = await list(again, query);
  const before = await list(again, `?limit=2&before=${last.paging?.cursors.before}`);
  expect(before.data.map(({ name }) => name)).toEqual(["order_4", "order_5"]);
  expect(before.paging?.previous).toContain("before=");
  expect((await list(again, "?limit=5000")).data).toHaveLength(7);
});

test("the list has the fields that are asked for, and those only that match", async () => {
  const { simulator } = await startWithReceiver();
  for (const name of ["a_rejected", "b_pending", "c"]) await create(simulator, { name });
  expect((await list(simulator, "?fields=name,rejected_reason&status=rejected")).data).toEqual([
    { name: "a_rejected", rejected_reason: "INCORRECT_CATEGORY", id: expect.any(String) },
  ]);
  expect((await list(simulator, "?name=b_p&language=en_US")).data).toMatchObject([{ name: "b_pending" }]);
  expect((await list(simulator, "?language=de")).data).toEqual([]);
  for (const query of ["?fields=secret", "?limit=0", "?limit=many", "?after=%00"]) {
    expect(await call(simulator, "GET", `${path}${query}`, undefined, { authorization })).toMatchObject({
      status: 400,
      body: { error: { code: 100 } },
    });
  }
});

test("a template is removed in all its languages, or in one", async () => {
  const { simulator } = await startWithReceiver();
  for (const language of ["en_US", "de", "fr"]) await create(simulator, { language });
  const { data } = await list(simulator);
  const remove = (query: string) =>
    call(simulator, "DELETE", `${path}${query}`, undefined, { authorization });
  expect(await remove(`?name=order_sent&hsm_id=${data[1]?.id}`)).toEqual({
    status: 200,
    body: { success: true },
  });
  expect((await list(simulator)).data.map(({ language }) => language)).toEqual(["en_US", "fr"]);
  await remove("?name=order_sent");
  expect((await list(simulator)).data).toEqual([]);
  expect(await remove("?name=order_sent")).toMatchObject({ status: 400, body: { error: { code: 100 } } });
});

test("only a token of the account's own numbers is let in", async () => {
  const { simulator, receiver } = await startWithReceiver();
  await putNumbers(simulator, [
    numberFor(receiver.url, { phone_number_id: "222", waba_id: "777", access_token: "token-2" }),
  ]);
  for (const [token, status, code] of [
    ["token-2", 400, 100],
    ["wrong", 401, 190],
  ] as const) {
    for (const method of ["GET", "POST", "DELETE"]) {
      const content = method === "GET" ? undefined : { name: "a" };
      const answer = await call(simulator, method, path, content, { authorization: `Bearer ${token}` });
      expect(answer).toMatchObject({ status, body: { error: { code } } });
    }
  }
});

test("every receiver of the account is told once of a review, and of a change of state", async () => {
  const { simulator, receiver } = await startWithReceiver();
  const second = await startReceiver();
  const stranger = await startReceiver();
  await putNumbers(simulator, [
    numberFor(receiver.url, { phone_number_id: "221" }),
    numberFor(second.url, { phone_number_id: "222", app_secret: "secret-2" }),
    numberFor(stranger.url, { phone_number_id: "333", waba_id: "777" }),
  ]);
  await create(simulator, { name: "order_pending" });
  await create(simulator);
  const state = { phone_number_id: "222", name: "order_sent", language: "en_US", state: "PAUSED" };
  const changed = await call(simulator, "PUT", "/simulator/templates/state", {
    ...state,
    reason: "LOW_QUALITY",
  });
  expect(changed).toMatchObject({ status: 200, body: { state: "PAUSED", reason: "LOW_QUALITY" } });
  await eventually(async () => expect(await owedTotal(simulator)).toBe(0));

  const id = Number((await list(simulator, "?name=order_sent")).data[0]?.id);
  for (const [reported, secret] of [
    [receiver, "secret-of-the-test"],
    [second, "secret-2"],
  ] as const) {
    for (const { raw, signature } of reported.posts) expect(signature).toBe(signatureOf(raw, secret));
    const changes = reported.posts.flatMap(({ raw }) => {
      const { entry } = JSON.parse(String(raw)) as { entry: { id: string; changes: object[] }[] };
      return entry.flatMap((account) => account.changes.map((change) => ({ id: account.id, ...change })));
    });
    const template = {
      message_template_id: id,
      message_template_name: "order_sent",
      message_template_language: "en_US",
      message_template_category: "UTILITY",
    };
    const field = "message_template_status_update";
    expect(changes).toEqual([
      { id: wabaId, field, value: { event: "APPROVED", ...template, reason: "NONE" } },
      { id: wabaId, field, value: { event: "PAUSED", ...template, reason: "LOW_QUALITY" } },
    ]);
  }
  expect(stranger.posts).toEqual([]);
});

test("a change of state is refused where number or template don't exist", async () => {
  const { simulator } = await startWithReceiver();
  const state = { phone_number_id: phoneNumberId, name: "none", language: "en_US", state: "PAUSED" };
  const put = (input: object) => call(simulator, "PUT", "/simulator/templates/state", input);
  expect(await put(state)).toMatchObject({ status: 400, body: { error: { field: "name" } } });
  expect(await put({ ...state, phone_number_id: "404" })).toMatchObject({
    status: 400,
    body: { error: { field: "phone_number_id" } },
  });
  expect(await put({ ...state, state: "HAPPY" })).toMatchObject({ body: { error: { field: "state" } } });
});
