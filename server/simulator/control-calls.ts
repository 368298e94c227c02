/** A call of the simulator's own API. It isn't one of Meta's, and needs no credentials. */
interface ControlCall {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** With placeholders in braces. */
  readonly path: string;
  /** One sentence for the documentation. */
  readonly description: string;
  /** A valid body, if the call takes one. PHONE_NUMBER_ID and TEMPLATE stand for existing ones. */
  readonly example: object | null;
}

const phone_number_id = "PHONE_NUMBER_ID";
const from = "4915112345678";

/** The calls with which a test or a developer simulates the customer, the reviewer and failures. */
export const controlCalls: readonly ControlCall[] = [
  {
    method: "GET",
    path: "/ledger",
    description:
      "Lists all calls that were made and all messages that were accepted; ?phone_number_id= limits the list to one number.",
    example: null,
  },
  {
    method: "GET",
    path: "/simulator/owed",
    description: "Returns the number of callbacks that are not delivered yet, in total and by number.",
    example: null,
  },
  {
    method: "POST",
    path: "/simulator/inbound",
    description:
      "Sends a message from a customer: type is text (the default), image, audio, video, document, sticker, location, contacts, button, interactive, reaction, order, unsupported, system or user_preferences. The content is in Meta's format, under the name of the type; the sender is given by from, user_id or both.",
    example: { phone_number_id, from, text: { body: "Where is my parcel?" } },
  },
  {
    method: "POST",
    path: "/simulator/inbound",
    description:
      "The same customer opts out of marketing messages (or opts in again). The contact's page in the admin app shows this; no event reports it.",
    example: { phone_number_id, from, type: "user_preferences", user_preferences: { value: "stop" } },
  },
  {
    method: "POST",
    path: "/simulator/statuses",
    description: "Sends up to 1,000 statuses in one callback; their messages needn't exist.",
    example: { phone_number_id, statuses: [{ wamid: "wamid.UNKNOWN", status: "read", recipient: from }] },
  },
  {
    method: "PUT",
    path: "/simulator/numbers/{phone_number_id}/failure",
    description:
      "Every send from the number fails with the given error until you set the error to null; with an error of the access token, all other calls fail too.",
    example: { error: "payment_required" },
  },
  {
    method: "PUT",
    path: "/simulator/templates/state",
    description:
      "Sets a template to PENDING, APPROVED, REJECTED, PAUSED or DISABLED and reports it in a callback; a new template is APPROVED unless its name ends in _pending, _rejected, _paused or _disabled.",
    example: { phone_number_id, name: "TEMPLATE", language: "en_US", state: "PAUSED" },
  },
  {
    method: "DELETE",
    path: "/simulator/media/{media_id}",
    description: "Deletes an upload, as happens after 30 days.",
    example: null,
  },
];
