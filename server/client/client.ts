import { List } from "./list.js";
import { type CallOptions, checkOptions, type WaypostOptions } from "./options.js";
import { createTransport, type Send } from "./transport.js";
import type {
  Channel,
  Contact,
  ListChannelsQuery,
  ListContactsQuery,
  ListMessagesQuery,
  ListTemplatesQuery,
  ListThreadsQuery,
  Message,
  Ping,
  SendMessageRequest,
  SendMessageResponse,
  Template,
  Thread,
  UpdateContactRequest,
  Upload,
} from "./types.js";
import { uploadBodyOf, type UploadSource } from "./upload-body.js";
import { Webhooks } from "./webhooks.js";

/** As long as Waypost waits for a whole file. */
const UPLOAD_TIMEOUT_MS = 600_000;

/**
 * A client of Waypost's API. One is enough for a process: it has no state but its options. Every method throws
 * WaypostError if Waypost refuses the request, and WaypostConnectionError if no answer arrives.
 */
export class Waypost {
  readonly messages: Messages;
  readonly channels: Channels;
  readonly threads: Threads;
  readonly contacts: Contacts;
  readonly templates: Templates;
  readonly uploads: Uploads;
  readonly webhooks: Webhooks;
  readonly #send: Send;

  /** @throws TypeError for an option that is missing or can't be used. */
  constructor(options: WaypostOptions) {
    const send = createTransport(options);
    this.#send = send;
    this.messages = new Messages(send);
    this.channels = new Channels(send);
    this.threads = new Threads(send);
    this.contacts = new Contacts(send);
    this.templates = new Templates(send);
    this.uploads = new Uploads(send);
    this.webhooks = new Webhooks(send);
  }

  /** Checks the key, and returns its organization and scopes. */
  ping(options?: CallOptions): Promise<Ping> {
    return this.#send("ping", {}, options);
  }
}

/** Messages of your organization. */
class Messages {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * Accepts a message for sending. When this returns, Waypost has stored it. Every retry sends the same body under the
   * same `client_message_id`, so that the message is sent once; `deduplicated` says that Waypost already had it.
   */
  send(message: SendMessageRequest, options?: CallOptions): Promise<SendMessageResponse> {
    return this.#send("sendMessage", { json: message }, options);
  }

  /** Returns a message with its delivery state. */
  get(messageId: string, options?: CallOptions): Promise<Message> {
    return this.#send("getMessage", { path: { id: messageId } }, options);
  }

  /** Lists messages, newest first; with `updated_since` by their changes, oldest first. */
  list(query: ListMessagesQuery = {}, options?: CallOptions): List<Message> {
    return new List(query, (page) => this.#send("listMessages", { query: page }, options));
  }
}

/** The numbers that your organization sends from. */
class Channels {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /** Lists the channels that the key may use. */
  list(query: ListChannelsQuery = {}, options?: CallOptions): List<Channel> {
    return new List(query, (page) => this.#send("listChannels", { query: page }, options));
  }
}

/** Conversations with customers. */
class Threads {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /** Returns a conversation with its customer service window. */
  get(threadId: string, options?: CallOptions): Promise<Thread> {
    return this.#send("getThread", { path: { thread_id: threadId } }, options);
  }

  /** Lists conversations, those with the newest message first. */
  list(query: ListThreadsQuery = {}, options?: CallOptions): List<Thread> {
    return new List(query, (page) => this.#send("listThreads", { query: page }, options));
  }
}

/** Your customers. */
class Contacts {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /** Returns a contact with its conversations. */
  get(contactId: string, options?: CallOptions): Promise<Contact> {
    return this.#send("getContact", { path: { contact_id: contactId } }, options);
  }

  /** Lists contacts, newest first. */
  list(query: ListContactsQuery = {}, options?: CallOptions): List<Contact> {
    return new List(query, (page) => this.#send("listContacts", { query: page }, options));
  }

  /** Changes a contact's name or marketing preference. What is left out stays. */
  update(contactId: string, changes: UpdateContactRequest, options?: CallOptions): Promise<Contact> {
    return this.#send("updateContact", { path: { contact_id: contactId }, json: changes }, options);
  }
}

/** Templates of your organization. */
class Templates {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /** Lists templates with their state at WhatsApp. */
  list(query: ListTemplatesQuery = {}, options?: CallOptions): List<Template> {
    return new List(query, (page) => this.#send("listTemplates", { query: page }, options));
  }
}

/** What Waypost is told of a file, and limits of the call. */
export interface UploadOptions extends CallOptions {
  /** Media type, such as `image/jpeg`. Waypost finds it by the bytes, and refuses another one. */
  contentType?: string | undefined;
  /** Name that the customer sees of a document. */
  filename?: string | undefined;
}

/** Files to send. */
class Uploads {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * Uploads a file. Send it with the `storage_key` of the answer, as often as you like, until `expires_at`. Bytes, a
   * Blob and a function that opens a stream can be retried; a stream can't, once it was read. Bytes are copied, so that
   * all tries send the same.
   * @param options.contentType default: the type of a Blob.
   * @param options.filename default: the name of a File.
   * @throws what the stream throws, too.
   */
  create(file: UploadSource, options: UploadOptions = {}): Promise<Upload> {
    checkOptions(options);
    const { contentType = typeOf(file), filename = nameOf(file), ...callOptions } = options;
    const headers = {
      "content-type": contentType,
      ...(filename === undefined ? {} : { "x-filename": encodeURIComponent(filename) }),
    };
    const defaults = { timeoutMs: UPLOAD_TIMEOUT_MS, retryBudgetMs: UPLOAD_TIMEOUT_MS };
    return this.#send("createUpload", { file: uploadBodyOf(file), headers, defaults }, callOptions);
  }
}

function typeOf(file: UploadSource): string {
  return (file instanceof Blob && file.type) || "application/octet-stream";
}

function nameOf(file: UploadSource): string | undefined {
  return file instanceof Blob && "name" in file && typeof file.name === "string" ? file.name : undefined;
}

export type { Channels, Contacts, Messages, Templates, Threads, Uploads };
