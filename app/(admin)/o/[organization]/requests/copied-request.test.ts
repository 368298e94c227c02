import { expect, test } from "vitest";
import type { SampleRequest } from "@/app/ui/request-samples";
import { copyOf, whatToFillIn } from "./copied-request";

const send: SampleRequest = {
  operationId: "sendMessage",
  method: "POST",
  path: "/messages",
  body: { client_message_id: "<YOUR VALUE, such as 1>", type: "text" },
};
const list: SampleRequest = {
  operationId: "listMessages",
  method: "GET",
  path: "/messages",
  query: { state: "failed" },
};
const get: SampleRequest = { operationId: "getMessage", method: "GET", path: "/messages/{id}" };
const redeliver: SampleRequest = {
  operationId: "redeliver",
  method: "POST",
  path: "/webhooks/{id}/deliveries/{delivery_id}/redeliver",
};
const update: SampleRequest = {
  operationId: "updateWebhook",
  method: "PATCH",
  path: "/webhooks/{id}",
  body: { enabled: true },
};
const upload: SampleRequest = {
  operationId: "createUpload",
  method: "POST",
  path: "/uploads",
  file: { name: "parcel.jpg", contentType: "image/jpeg" },
};

const refused = (method: string, path: string, clientMessageId: string | null = null) => ({
  method,
  route: `/api/public/v1${path}`,
  clientMessageId,
});
const copied = (request: ReturnType<typeof refused>) =>
  copyOf(request, [send, list, get, redeliver, update, upload]);

test("a copy is of the operation with the request's method and path", () => {
  expect(copied(refused("POST", "/messages"))).toBe(send);
  expect(copied(refused("GET", "/messages"))).toBe(list);
  expect(copied(refused("GET", "/messages/{id}"))).toBe(get);
});

test.each(["/*", "/openapi.json", "/messages/", ""])("a request to %s has no copy", (path) => {
  expect(copied(refused("POST", path))).toBeNull();
});

test("a copy has the request's client_message_id, where the operation has that field", () => {
  expect(copied(refused("POST", "/messages", "order-1"))?.body).toEqual({
    client_message_id: "order-1",
    type: "text",
  });
  expect(copied(refused("PATCH", "/webhooks/{id}", "order-1"))).toBe(update);
});

const fillIn = (request: SampleRequest, clientMessageId: string | null = null) =>
  whatToFillIn({ clientMessageId }, request).join(" ");

test("it is said which parts of a copy are examples", () => {
  expect(fillIn(send)).toMatch(
    /^The body of the request isn’t stored\. The body in the copy is an example\. Replace each `<YOUR VALUE …>`\./,
  );
  expect(fillIn({ ...send, body: { client_message_id: "1", type: "text" } }, "1")).toMatch(
    /Except for `client_message_id`, the body in the copy is an example\. The copy reads/,
  );
  expect(fillIn(update, "1")).toMatch(/stored\. The body in the copy is an example\. The path/);
  expect(fillIn(upload)).toMatch(/^The file isn’t stored\. Replace `parcel\.jpg`/);
  expect(fillIn(list)).toMatch(/^The query isn’t stored\. `\?state=failed` is an example\./);
  expect(fillIn(get)).toMatch(/^If the request had a query, it isn’t stored\. .* set `MESSAGE_ID`\./);
});

test("it is said where a copy reads what it doesn't contain", () => {
  expect(fillIn(redeliver)).toBe(
    "The path’s ids aren’t stored: set `WEBHOOK_ID` and `DELIVERY_ID`. The copy reads the address from `WAYPOST_URL` and the API key from `WAYPOST_KEY`.",
  );
});
