import { expect, test } from "vitest";
import { WEBHOOK_DELIVERY_STATES, WEBHOOK_ERROR_CLASSES, WEBHOOK_EVENT_TYPES } from "@/db/schema";
import { ERRORS } from "@/server/platform/errors";
import { deliveryPage } from "./deliver/delivery-schemas";
import { describeWebhooks } from "./describe";
import { WEBHOOK_EVENT_SCHEMAS } from "./events/event-schemas";

const described = describeWebhooks();
const namesOf = (fields: readonly { name: string }[]) => fields.map(({ name }) => name);

test("every type of event is told of once, with an example that is one", () => {
  expect(described.events.map(({ type }) => type)).toEqual(WEBHOOK_EVENT_TYPES);
  for (const { type, example } of described.events) {
    expect(WEBHOOK_EVENT_SCHEMAS[type].safeParse(example).error).toBeUndefined();
  }
});

test("of a change of state only what is beside the message itself is told, of a received message all", () => {
  expect(namesOf(described.fields.ofState)).toEqual(["previous_state", "sequence", "inferred"]);
  expect(namesOf(described.fields.ofReceived)).toEqual([
    "message_id",
    "thread_id",
    "contact_id",
    "channel_id",
    "type",
    "direction",
    "to",
    "from.kind",
    "from.handle",
    "from.user_id",
    "from.name",
    "content",
    "reply_to",
    "written_at",
    "received_at",
  ]);
  const types = new Map(described.fields.ofReceived.map(({ name, type }) => [name, type]));
  expect(["message_id", "from.handle", "content", "received_at"].map((name) => types.get(name))).toEqual([
    "id",
    "string or null",
    "object",
    "time",
  ]);
});

test("the states, the reasons of failures and the filters of deliveries are told of, each once and in words", () => {
  const { states, errorClasses, filters } = described;
  expect(namesOf(states)).toEqual(WEBHOOK_DELIVERY_STATES);
  expect(namesOf(errorClasses)).toEqual(WEBHOOK_ERROR_CLASSES);
  expect(namesOf(filters).sort()).toEqual(
    ["state", "type", "message_id", "since", "until", "order", "include", "limit", "cursor"].sort(),
  );
  for (const { means } of [...states, ...errorClasses, ...filters]) expect(means).toMatch(/^.{10,}\.$/);
});

test("the example of deliveries is one, and its event's id the webhook-id and in the body", () => {
  const { deliveriesExample } = described;
  expect(deliveryPage.strict().parse(deliveriesExample)).toEqual(deliveriesExample);
  for (const { event_id: eventId, headers, body } of deliveriesExample.data) {
    expect(headers?.["webhook-id"]).toBe(eventId);
    expect(body).toContain(`{"id":"${eventId}"`);
  }
});

test("there is a wait before each attempt but the first", () => {
  expect(described.retrySeconds).toHaveLength(described.attemptsMax - 1);
});

test("the errors tell the same numbers", () => {
  const { endpointsMax, keptDays, timeoutSeconds } = described;
  expect(ERRORS.webhook_limit_reached.message).toContain(` ${endpointsMax} webhook endpoints`);
  expect(ERRORS.webhook_delivery_not_found.remedy).toContain(`${keptDays} days`);
  expect(ERRORS.webhook_test_running.remedy).toContain(`${timeoutSeconds} seconds`);
});
