import { describeConformance } from "./run";

/** They request every route that `transport` doesn't. */
const OF_ROUTES: ReadonlySet<string> = new Set([
  "the interface description needs no key",
  "/channels takes a unit of the read bucket, and says so",
  "/messages takes a unit of the read bucket, and says so",
  "/threads takes a unit of the read bucket, and says so",
  "/contacts takes a unit of the read bucket, and says so",
  "messages are found by several states, by number and contact, and by their changes",
  "a conversation is read, and listed by contact and number",
  "a contact is read, found by its number, and changed",
  "/templates takes a unit of the read bucket, and says so",
  "a file is taken in, and its type, size, digest and end are told",
  "an endpoint is made, read, listed, changed and removed",
  "a secret is rotated without a body, and the former one signs beside it",
  "POST /webhooks/{id}/test answers alike whatever the key may not know of",
  "a delivery is delivered again, and counted for a replay",
]);

describeConformance("next", (topic, name) => topic === "transport" || OF_ROUTES.has(name));
