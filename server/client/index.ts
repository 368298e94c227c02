export {
  type Channels,
  type Contacts,
  type Messages,
  type Templates,
  type Threads,
  type UploadOptions,
  type Uploads,
  Waypost,
} from "./client.js";
export { type ConnectionErrorReason, WaypostConnectionError, WaypostError } from "./errors.js";
export type { List } from "./list.js";
export type { CallOptions, Retry, WaypostOptions } from "./options.js";
export type { PullOptions } from "./pull.js";
export type * from "./types.js";
export type { UploadSource, UploadStream } from "./upload-body.js";
export {
  type VerificationErrorReason,
  verifyWebhook,
  type WebhookHeaders,
  WebhookVerificationError,
} from "./verify-webhook.js";
export type { Webhooks } from "./webhooks.js";
