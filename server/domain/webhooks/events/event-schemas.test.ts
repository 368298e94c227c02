import { expect, test } from "vitest";
import { WEBHOOK_EVENT_TYPES } from "@/db/schema";
import { WEBHOOK_EVENT_EXAMPLES } from "./event-examples";
import { WEBHOOK_EVENT_SCHEMAS } from "./event-schemas";

test.each(WEBHOOK_EVENT_TYPES)("the example of %s is one, and holds all that such a body has", (type) => {
  const example = WEBHOOK_EVENT_EXAMPLES[type];
  expect(WEBHOOK_EVENT_SCHEMAS[type].parse(example)).toStrictEqual(example);
});
