import { describe, expect, test } from "vitest";
import { appRouter } from "@/server/edge/trpc/router";
import { SEND_MESSAGE_EXAMPLES } from "@/server/domain/messages/send/examples";
import { PUBLIC_TAGS } from "@/server/core/trpc";
import { openApiDocument } from "./document";
import { postmanCollection } from "./postman";
import { publicRoutes } from "./routes";

interface Item {
  readonly name: string;
  readonly request: {
    readonly method: string;
    readonly url: { readonly raw: string; readonly path: readonly string[]; readonly variable: unknown };
    readonly header: readonly unknown[];
    readonly body?: { readonly mode: string; readonly raw: string };
  };
}

const collection = postmanCollection(openApiDocument(appRouter, "https://waypost.example"));
const folders = Object.values<{ name: string; item: readonly Item[] }>(Object(collection.item));
const items = folders.flatMap(({ item }) => item);
const named = (name: string) => items.find((item) => item.name === name)?.request;

test("has a folder for each tag, and each operation in one of them", () => {
  expect(folders.map(({ name }) => name)).toEqual(Object.keys(PUBLIC_TAGS));
  const paths = items.map(({ request }) => `${request.method} /${request.url.path.join("/")}`);
  const routes = publicRoutes(appRouter).map(({ method, meta }) => {
    const path = meta.openapi?.path.replaceAll(/\{([a-z_]+)\}/g, ":$1");
    return `${method} ${path}`;
  });
  expect(new Set(paths)).toEqual(new Set(routes));
});

test("has the address, the key and a number as variables, and no key in it", () => {
  expect(collection.variable).toMatchObject([
    { key: "base_url", value: "https://waypost.example/api/public/v1" },
    { key: "api_key", value: "" },
    { key: "handle", value: "4915112345678" },
  ]);
  expect(collection.auth).toEqual({
    type: "bearer",
    bearer: [{ key: "token", value: "{{api_key}}", type: "string" }],
  });
  for (const { request } of items) expect(request.url.raw).toMatch(/^\{\{base_url\}\}\//);
});

describe("a message", () => {
  test.each(Object.values(SEND_MESSAGE_EXAMPLES))("is sent by a request of its own: $summary", (example) => {
    const { body, header } = named(`Send a message: ${example.summary}`) ?? {};
    expect(header).toEqual([{ key: "Content-Type", value: "application/json" }]);
    expect(JSON.parse(body?.raw ?? "")).toEqual({
      ...example.value,
      client_message_id: "{{$guid}}",
      to: { kind: "whatsapp", handle: "{{handle}}" },
    });
  });

  test("is found by the id in the path, and listed by filters that are switched off", () => {
    expect(named("Get a message and its delivery status")?.url).toMatchObject({
      raw: "{{base_url}}/messages/:id",
      variable: [{ key: "id", value: "", description: expect.stringContaining("message_id") }],
    });
    const { url } = named("List messages and their delivery status, newest first") ?? {};
    expect(url).toMatchObject({
      query: expect.arrayContaining([expect.objectContaining({ key: "limit", disabled: true })]),
    });
  });
});

test("a file is sent as it is, and what needs no body has none", () => {
  expect(named("Upload a file to send")?.body).toEqual({ mode: "file", file: {} });
  expect(named("Test a webhook endpoint")?.body).toBeUndefined();
});
