import { z } from "zod";
import { WEBHOOK_EVENT_SCHEMAS } from "./event-schemas";
import { RECEIVED_KINDS } from "./received-content-schemas";
import examples from "./received-examples.json";

/**
 * An event of each kind of content, as received by a test: server/domain/callbacks/received-events.test.ts, which
 * rewrites the file when run with `-u`.
 */
export const RECEIVED_EXAMPLES = z
  .record(z.enum(RECEIVED_KINDS), WEBHOOK_EVENT_SCHEMAS["message.received"])
  .parse(examples);
