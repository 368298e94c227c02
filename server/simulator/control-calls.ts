/** One of the simulator's own calls: none of Meta's, and without credentials. */
interface ControlCall {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** With placeholders in braces. */
  readonly path: string;
  /** One sentence for the documentation. */
  readonly description: string;
  /** A body that works, where the call takes one; PHONE_NUMBER_ID and TEMPLATE stand for what there is. */
  readonly example: object | null;
}

const phone_number_id = "PHONE_NUMBER_ID";
const from = "4915112345678";

/** The calls by which a test or a developer plays the customer, the reviewer and the weather. */
export const controlCalls: readonly ControlCall[] = [
  {
    method: "GET",
    path: "/ledger",
    description:
      "All calls that were made and all messages that were accepted; ?phone_number_id= narrows it.",
    example: null,
  },
  {
    method: "GET",
    path: "/simulator/owed",
    description: "How many callbacks are not delivered yet, in all and by number.",
    example: null,
  },
  {
    method: "POST",
    path: "/simulator/inbound",
    description:
      "The customer writes: type is text (the default), image, audio, video, document, sticker, location, contacts, button, interactive, reaction, order, unsupported, system or user_preferences, with its content in Meta's shape under its name; the sender is from, user_id or both.",
    example: { phone_number_id, from, text: { body: "Where is my parcel?" } },
  },
  {
    method: "POST",
    path: "/simulator/inbound",
    description:
      "The same customer stops marketing messages (or resumes them); the contact's page in the admin app says so, and no event does.",
    example: { phone_number_id, from, type: "user_preferences", user_preferences: { value: "stop" } },
  },
  {
    method: "POST",
    path: "/simulator/statuses",
    description: "Up to 1,000 statuses in one callback, of messages that needn't exist.",
    example: { phone_number_id, statuses: [{ wamid: "wamid.UNKNOWN", status: "read", recipient: from }] },
  },
  {
    method: "PUT",
    path: "/simulator/numbers/{phone_number_id}/failure",
    description:
      "Every send of the number fails with the named error, and after an error of the token all else too, until the error is null.",
    example: { error: "payment_required" },
  },
  {
    method: "PUT",
    path: "/simulator/templates/state",
    description:
      "A template becomes PENDING, APPROVED, REJECTED, PAUSED or DISABLED, and a callback tells of it; a new one is APPROVED unless its name ends in _pending, _rejected, _paused or _disabled.",
    example: { phone_number_id, name: "TEMPLATE", language: "en_US", state: "PAUSED" },
  },
  {
    method: "DELETE",
    path: "/simulator/media/{media_id}",
    description: "An upload is forgotten, as it is after 30 days.",
    example: null,
  },
];
