import type { operations } from "./openapi.js";
import type {
  Channel,
  Contact,
  ErrorCode,
  Message,
  Page,
  Ping,
  SendMessageResponse,
  Template,
  Thread,
  Upload,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookEndpointWithSecret,
  WebhookReplay,
  WebhookTest,
} from "./types.js";

interface Operation {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Below the base path, with its parameters in braces. */
  readonly path: string;
  /**
   * Whether repeating it is harmless if Waypost may already have carried it out. Any operation is repeated after a
   * refusal that says that nothing was done.
   */
  readonly isRepeatable: boolean;
  /** Code with which Waypost refuses a repeat if an earlier try succeeded. */
  readonly doneIfRefusedWith?: ErrorCode;
}

/** Every operation of the API. */
export const OPERATIONS = {
  ping: { method: "GET", path: "/ping", isRepeatable: true },
  listChannels: { method: "GET", path: "/channels", isRepeatable: true },
  // The same `client_message_id` with the same body is the same message.
  sendMessage: { method: "POST", path: "/messages", isRepeatable: true },
  listMessages: { method: "GET", path: "/messages", isRepeatable: true },
  getMessage: { method: "GET", path: "/messages/{id}", isRepeatable: true },
  listThreads: { method: "GET", path: "/threads", isRepeatable: true },
  getThread: { method: "GET", path: "/threads/{thread_id}", isRepeatable: true },
  listContacts: { method: "GET", path: "/contacts", isRepeatable: true },
  getContact: { method: "GET", path: "/contacts/{contact_id}", isRepeatable: true },
  // It sets values, so that a repeat sets the same ones.
  updateContact: { method: "PATCH", path: "/contacts/{contact_id}", isRepeatable: true },
  listTemplates: { method: "GET", path: "/templates", isRepeatable: true },
  // The file may be stored twice. A file that no message uses expires.
  createUpload: { method: "POST", path: "/uploads", isRepeatable: true },
  listWebhooks: { method: "GET", path: "/webhooks", isRepeatable: true },
  // There could be two endpoints, and nobody would have the secret of the first.
  createWebhook: { method: "POST", path: "/webhooks", isRepeatable: false },
  getWebhook: { method: "GET", path: "/webhooks/{id}", isRepeatable: true },
  // It sets values, so that a repeat sets the same ones.
  updateWebhook: { method: "PATCH", path: "/webhooks/{id}", isRepeatable: true },
  deleteWebhook: {
    method: "DELETE",
    path: "/webhooks/{id}",
    isRepeatable: true,
    doneIfRefusedWith: "webhook_not_found",
  },
  // Each repeat is another rotation, and only a few previous secrets still sign.
  rotateWebhookSecret: { method: "POST", path: "/webhooks/{id}/rotate-secret", isRepeatable: false },
  // Each repeat posts another test event.
  testWebhook: { method: "POST", path: "/webhooks/{id}/test", isRepeatable: false },
  listDeliveries: { method: "GET", path: "/webhooks/{id}/deliveries", isRepeatable: true },
  // A receiver gets the same event with the same id, which it can get twice anyway.
  redeliver: {
    method: "POST",
    path: "/webhooks/{id}/deliveries/{delivery_id}/redeliver",
    isRepeatable: true,
  },
  // `replay_id` makes a repeat the same replay. The client adds one where it is missing.
  replay: { method: "POST", path: "/webhooks/{id}/replay", isRepeatable: true },
} as const satisfies Record<keyof operations, Operation>;

export type OperationName = keyof typeof OPERATIONS;

/** The body of a successful answer, by operation. */
export interface Answers {
  ping: Ping;
  listChannels: Page<Channel>;
  sendMessage: SendMessageResponse;
  listMessages: Page<Message>;
  getMessage: Message;
  listThreads: Page<Thread>;
  getThread: Thread;
  listContacts: Page<Contact>;
  getContact: Contact;
  updateContact: Contact;
  listTemplates: Page<Template>;
  createUpload: Upload;
  listWebhooks: Page<WebhookEndpoint>;
  createWebhook: WebhookEndpointWithSecret;
  getWebhook: WebhookEndpoint;
  updateWebhook: WebhookEndpoint;
  deleteWebhook: void;
  rotateWebhookSecret: WebhookEndpointWithSecret;
  testWebhook: WebhookTest;
  listDeliveries: Page<WebhookDelivery>;
  redeliver: WebhookDelivery;
  replay: WebhookReplay;
}

/** Evidence that a successful answer comes from Waypost. */
export type Proof =
  | {
      /** Members that it has, with texts. */
      readonly members: readonly string[];
      /** Members of the request that it repeats. */
      readonly repeats?: readonly string[];
    }
  /** It is a page, and each entry has these members, with texts. */
  | { readonly entries: readonly string[] }
  /** It has no content. */
  | "no content";

type ProofOf<Answer> =
  Answer extends Page<infer Entry>
    ? { readonly entries: readonly (keyof Entry)[] }
    : Answer extends object
      ? { readonly members: readonly (keyof Answer)[]; readonly repeats?: readonly (keyof Answer)[] }
      : "no content";

/**
 * Proofs by operation. A proxy or another service can answer with a successful status too, and then Waypost has done
 * nothing.
 */
export const PROOFS = {
  ping: { members: ["organization_id"] },
  listChannels: { entries: ["id", "display_phone_number"] },
  sendMessage: { members: ["message_id"], repeats: ["client_message_id"] },
  listMessages: { entries: ["message_id"] },
  getMessage: { members: ["message_id"] },
  listThreads: { entries: ["thread_id"] },
  getThread: { members: ["thread_id"] },
  listContacts: { entries: ["contact_id"] },
  getContact: { members: ["contact_id"] },
  updateContact: { members: ["contact_id"] },
  listTemplates: { entries: ["template_submission_id"] },
  createUpload: { members: ["storage_key"] },
  listWebhooks: { entries: ["id", "created_at"] },
  createWebhook: { members: ["id", "secret"] },
  getWebhook: { members: ["id", "created_at"] },
  updateWebhook: { members: ["id", "created_at"] },
  deleteWebhook: "no content",
  rotateWebhookSecret: { members: ["id", "secret"] },
  testWebhook: { members: ["delivery_id", "event_id"] },
  listDeliveries: { entries: ["id", "event_id"] },
  redeliver: { members: ["id", "event_id"] },
  replay: { members: ["since", "until", "only"] },
} as const satisfies { [Name in OperationName]: ProofOf<Answers[Name]> };

/** Returns the facts about an operation. */
export function operationOf(name: OperationName): Operation {
  return OPERATIONS[name];
}

/**
 * Returns the path of an operation below the base path.
 * @throws TypeError if a parameter can't be an id: another path would be called.
 */
export function pathOf(name: OperationName, parameters: Readonly<Record<string, string>>): string {
  return OPERATIONS[name].path.replace(/\{(\w+)\}/g, (_, parameter: string) => {
    const value: unknown = parameters[parameter];
    if (typeof value !== "string" || /^\.{0,2}$/.test(value))
      throw new TypeError(`\`${parameter}\` must be an id, not ${JSON.stringify(value)}`);
    return encodeURIComponent(value);
  });
}

/** Returns true if an operation changes something. */
export function changesSomething(operation: OperationName): boolean {
  return operationOf(operation).method !== "GET";
}
