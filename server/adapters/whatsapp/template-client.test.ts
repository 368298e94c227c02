import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serveOnLoopback } from "@/server/edge/http/testing";
import {
  having,
  startTemplateUpstream,
  type TemplateBehaviour,
  type TemplateUpstream,
  upstreamTemplate,
} from "@/server/domain/templates/testing";
import { createTemplate, listTemplates } from "./template-client";
import { answerJson } from "./testing";

let upstream: TemplateUpstream;
beforeAll(async () => void (upstream = await startTemplateUpstream()));
afterAll(() => upstream.close());

const caller = () => ({ baseUrl: upstream.url, wabaId: "102290129340398", accessToken: "the-token" });
/** For calls that don't end by themselves. */
const TIMEOUT_MS = 250;
const TIMED_OUT = { kind: "failed", reason: "no response in time" };
const list = (limits: { timeoutMs?: number; pagesMax?: number } = {}) => listTemplates(caller(), limits);

const answering =
  (status: number, body: unknown): TemplateBehaviour =>
  (res) =>
    answerJson(res, status, body);

describe("the list of an account's templates", () => {
  test("tells each as it is, with our word for its state", async () => {
    upstream.behave(
      having([
        upstreamTemplate(),
        upstreamTemplate({ id: "2", language: "de", status: "REJECTED", rejected_reason: "INVALID_FORMAT" }),
        upstreamTemplate({ id: "3", name: "gone", status: "PENDING_DELETION", category: undefined }),
        upstreamTemplate({ id: "4", name: "novel", status: "A_NEW_WORD", rejected_reason: undefined }),
        upstreamTemplate({ id: "5", name: "waits", status: "PENDING" }),
      ]),
    );
    expect(await list()).toEqual({
      kind: "listed",
      isComplete: true,
      templates: [
        {
          upstreamId: "594425479261596",
          name: "order_update",
          language: "en_US",
          category: "utility",
          state: "approved",
          reason: null,
          components: upstreamTemplate().components,
        },
        expect.objectContaining({ language: "de", state: "rejected", reason: "INVALID_FORMAT" }),
        expect.objectContaining({ state: "disabled", reason: "PENDING_DELETION", category: null }),
        expect.objectContaining({ state: "pending", reason: "A_NEW_WORD" }),
        expect.objectContaining({ state: "pending", reason: null }),
      ],
    });
    expect(upstream.calls.at(-1)).toMatchObject({
      method: "GET",
      path: "/v24.0/102290129340398/message_templates",
      authorization: "Bearer the-token",
      query: { limit: "100", fields: expect.stringContaining("components") },
    });
  });

  test("goes on to the last page by the cursor, and never to the address that an answer names", async () => {
    const many = Array.from({ length: 25 }, (_, index) => upstreamTemplate({ id: String(index + 1) }));
    upstream.behave(having(many, 10));
    const before = upstream.calls.length;
    const listed = await list();
    expect(listed).toMatchObject({ kind: "listed", isComplete: true });
    expect(listed.kind === "listed" && listed.templates.map((template) => template.upstreamId)).toEqual(
      many.map((template) => template.id),
    );
    expect(upstream.calls.slice(before).map((call) => call.query.after)).toEqual([undefined, "10", "20"]);
  });

  test.each<[string, TemplateBehaviour]>([
    [
      "a cursor that comes again",
      answering(200, { data: [upstreamTemplate()], paging: { next: "x", cursors: { after: "same" } } }),
    ],
    ["a next page without a cursor", answering(200, { data: [upstreamTemplate()], paging: { next: "x" } })],
    [
      "an entry that can't be read",
      answering(200, { data: [upstreamTemplate(), { name: "no id" }, null], paging: {} }),
    ],
  ])("isn't taken for complete after %s", async (_, behaviour) => {
    upstream.behave(behaviour);
    expect(await list()).toMatchObject({
      kind: "listed",
      isComplete: false,
      templates: expect.arrayContaining([expect.objectContaining({ name: "order_update" })]),
    });
  });

  test("ends at its last allowed page, incomplete", async () => {
    upstream.behave(
      having(
        Array.from({ length: 30 }, (_, index) => upstreamTemplate({ id: `${index}` })),
        10,
      ),
    );
    const before = upstream.calls.length;
    expect(await list({ pagesMax: 2 })).toMatchObject({ kind: "listed", isComplete: false });
    expect(upstream.calls.length - before).toBe(2);
  });

  test("holds no text that can't be stored", async () => {
    upstream.behave((res) => {
      const text = JSON.stringify({ data: [upstreamTemplate({ components: ["@"] })] });
      res.writeHead(200).end(text.replace("@", String.raw`a\u0000b\ud800c`));
    });
    expect(await list()).toMatchObject({ templates: [{ components: ["a\uFFFDb\uFFFDc"] }] });
  });
});

/** Faults of the other side, with their description. */
const MISBEHAVIOURS: readonly (readonly [string, TemplateBehaviour, object])[] = [
  ["cuts the connection", (res) => void res.socket?.resetAndDestroy(), { kind: "failed" }],
  ["never answers", () => undefined, TIMED_OUT],
  ["never ends its answer", (res) => void res.writeHead(200).write('{"data":['), TIMED_OUT],
  [
    "answers without an end in size",
    (res) => {
      const chunk = Buffer.alloc(1_000_000, "a");
      const go = () => {
        if (!res.destroyed) res.write(chunk, go);
      };
      res.writeHead(200);
      go();
    },
    { kind: "failed", reason: expect.stringMatching(/larger than \d+ bytes/) },
  ],
  ["answers something else", (res) => void res.writeHead(200).end("<html>"), { kind: "failed" }],
  ["answers another shape", (res) => answerJson(res, 200, { templates: [] }), { kind: "failed" }],
  ["breaks down", (res) => void res.writeHead(502).end("Bad gateway"), { kind: "failed" }],
  [
    "breaks down with an error of its own",
    (res) => answerJson(res, 500, { error: { code: 2, message: "An unexpected error" } }),
    { kind: "failed", reason: "(#2) An unexpected error" },
  ],
  [
    "refuses",
    (res) =>
      answerJson(res, 400, {
        error: { code: 100, message: "x", error_user_msg: "There is such a template" },
      }),
    { kind: "refused", httpStatus: 400, reason: "(#100) There is such a template" },
  ],
  [
    "refuses with a word of a thousand",
    (res) => answerJson(res, 403, { error: { code: 200, message: "x".repeat(5000) } }),
    { kind: "refused", reason: `(#200) ${"x".repeat(493)}` },
  ],
];

describe.each(MISBEHAVIOURS)("an upstream that %s", (_, behaviour, expected) => {
  const limits = expected === TIMED_OUT ? { timeoutMs: TIMEOUT_MS } : {};

  test("is said so of, when asked for the list", async () => {
    upstream.behave(behaviour);
    expect(await list(limits)).toMatchObject(expected);
  });

  test("is said so of, when a template is submitted", async () => {
    upstream.behave(behaviour);
    const { name, language, category, components } = upstreamTemplate();
    const template = { name, language, category, components };
    expect(await createTemplate(caller(), template, limits)).toMatchObject(expected);
  });
});

test("a redirect isn't followed: the token would go with it", async () => {
  const followed: string[] = [];
  const elsewhere = await serveOnLoopback((req, res) => {
    followed.push(req.headers.authorization ?? "nothing");
    res.end("{}");
  });
  upstream.behave((res) => void res.writeHead(307, { location: elsewhere.url }).end());
  expect(await list()).toMatchObject({ kind: "failed" });
  expect(followed).toEqual([]);
  await elsewhere.close();
});

test("a refusal to connect tells neither address nor token", async () => {
  const nowhere = { ...caller(), baseUrl: "http://127.0.0.1:1" };
  expect(await listTemplates(nowhere)).toEqual({ kind: "failed", reason: "no connection (ECONNREFUSED)" });
});

describe("a new template", () => {
  const { name, language, components } = upstreamTemplate();
  const create = (given: readonly unknown[] = components) =>
    createTemplate(caller(), { name, language, category: "utility", components: given });

  test("is submitted in the upstream's words, and has its id and state", async () => {
    upstream.behave(answering(200, { id: "77", status: "REJECTED", category: "UTILITY" }));
    expect(await create()).toEqual({ kind: "created", upstreamId: "77", state: "rejected" });
    expect(upstream.calls.at(-1)).toMatchObject({
      method: "POST",
      path: "/v24.0/102290129340398/message_templates",
      authorization: "Bearer the-token",
      body: { name, language, category: "UTILITY", components, parameter_format: "POSITIONAL" },
    });
  });

  test("says that its placeholders have names, where they do", async () => {
    upstream.behave(answering(200, { id: "78" }));
    expect(await create([{ type: "BODY", text: "Hi {{first_name}}" }])).toMatchObject({ state: "pending" });
    expect(upstream.calls.at(-1)?.body).toMatchObject({ parameter_format: "NAMED" });
  });
});
