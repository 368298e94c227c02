import type { components, operations } from "./openapi.js";

type Schemas = components["schemas"];

/** Where a message goes: a customer, or a conversation. */
export type Destination =
  | { to: DestinationTo; thread_id?: null | undefined }
  | { thread_id: string; to?: null | undefined };
export type DestinationTo = Schemas["DestinationTo"];
/** A file to send. If both are given, `storage_key` is used. */
export type MediaObject = Undefinable<Schemas["MediaObject"]> & ({ storage_key: string } | { url: string });
/** A template: by its id, or by its name and language. */
export type TemplateObject = Undefinable<Schemas["TemplateObject"]> &
  ({ template_submission_id: string } | { name: string; language: string });
type Media = { media: MediaObject };

export type SendTextMessage = Undefinable<Schemas["SendTextMessage"]> & Destination;
export type SendImageMessage = Undefinable<Omit<Schemas["SendImageMessage"], "media">> & Destination & Media;
export type SendAudioMessage = Undefinable<Omit<Schemas["SendAudioMessage"], "media">> & Destination & Media;
export type SendVideoMessage = Undefinable<Omit<Schemas["SendVideoMessage"], "media">> & Destination & Media;
export type SendDocumentMessage = Undefinable<Omit<Schemas["SendDocumentMessage"], "media">> &
  Destination &
  Media;
export type SendStickerMessage = Undefinable<Omit<Schemas["SendStickerMessage"], "media">> &
  Destination &
  Media;
export type SendTemplateMessage = Undefinable<Omit<Schemas["SendTemplateMessage"], "template">> &
  Destination & { template: TemplateObject };
export type SendInteractiveMessage = Undefinable<Schemas["SendInteractiveMessage"]> & Destination;
export type SendReactionMessage = Undefinable<Schemas["SendReactionMessage"]> & Destination;
export type SendLocationMessage = Undefinable<Schemas["SendLocationMessage"]> & Destination;
export type SendContactsMessage = Undefinable<Schemas["SendContactsMessage"]> & Destination;
/** A message to send. `type` determines the other fields. */
export type SendMessageRequest =
  | SendTextMessage
  | SendImageMessage
  | SendAudioMessage
  | SendVideoMessage
  | SendDocumentMessage
  | SendStickerMessage
  | SendTemplateMessage
  | SendInteractiveMessage
  | SendReactionMessage
  | SendLocationMessage
  | SendContactsMessage;
export type SendMessageResponse = Schemas["SendMessageResponse"];

type MessageOf<Direction extends MessageDirection, Own> = Omit<Schemas["Message"], "direction" | keyof Own> &
  Own & { direction: Direction };
/** A message that your organization sent. `type` determines which fields `content` has. */
export type OutboundMessage = MessageOf<
  "outbound",
  {
    to: MessageParty;
    from: null;
    /** Null once the message is erased. */
    content: SentContent | null;
    delivery_state: DeliveryState;
  }
>;
/** A message that a customer wrote, as the API returns it. `content.type` determines the other fields of `content`. */
export type CustomerMessage = MessageOf<
  "inbound",
  {
    client_message_id: null;
    to: null;
    from: MessageParty;
    /** Null once the message is erased. */
    content: InboundContent | null;
    delivery_state: null;
    error: null;
  }
>;
/** A message of either direction. `direction` determines the other fields. */
export type Message = OutboundMessage | CustomerMessage;
export type MessageDirection = Schemas["MessageDirection"];
/** A customer, by a number, by WhatsApp's id, or by both. */
export type MessageParty = Schemas["MessageParty"];
export type SentContent = Schemas["SentContent"];
/** Why a message failed. */
export type MessageError = Schemas["MessageError"];
export type MessageErrorCode = MessageError["code"];
export type DeliveryState = Schemas["DeliveryState"];
export type ResendAdvice = Schemas["ResendAdvice"];
/** Code of a refused request. More codes can be added. */
export type ErrorCode = Schemas["ErrorEnvelope"]["error"]["code"];
export type ErrorEnvelope = Schemas["ErrorEnvelope"];

export type MarkReadRequest = Undefinable<Schemas["MarkMessageReadRequest"]>;
export type ReadMark = Schemas["ReadMark"];

export type Channel = Schemas["Channel"];
export type Contact = Schemas["Contact"];
export type Thread = Schemas["Thread"];
export type Template = Schemas["Template"];
export type Upload = Schemas["Upload"];
export type Ping = Schemas["Ping"];

export type WebhookEndpoint = Schemas["WebhookEndpoint"];
export type WebhookEndpointWithSecret = Schemas["WebhookEndpointWithSecret"];
export type WebhookEventType = Schemas["WebhookEventType"];
export type CreateWebhookRequest = WithTimes<Undefinable<Schemas["CreateWebhookRequest"]>>;
export type UpdateWebhookRequest = Undefinable<Schemas["UpdateWebhookRequest"]>;
export type WebhookTest = Schemas["WebhookTest"];
export type WebhookDelivery = Schemas["WebhookDelivery"];
export type ReplayRequest = WithTimes<Undefinable<Schemas["ReplayRequest"]>>;
export type WebhookReplay = Schemas["WebhookReplay"];

/** One page of a list. */
export interface Page<Item> {
  data: Item[];
  /** Null on the last page. */
  next_cursor: string | null;
}

type Query<Name extends keyof operations> = Undefinable<
  WithTimes<NonNullable<operations[Name]["parameters"]["query"]>>
>;
/** Undefined is the same as absent, also under `exactOptionalPropertyTypes`. */
type Undefinable<Input> = {
  [Name in keyof Input]: Partial<Pick<Input, Name>> extends Pick<Input, Name>
    ? Input[Name] | undefined
    : Input[Name];
};
export type ListMessagesQuery = Query<"listMessages">;
export type ListChannelsQuery = Query<"listChannels">;
export type ListThreadsQuery = Query<"listThreads">;
export type ListContactsQuery = Query<"listContacts">;
export type UpdateContactRequest = Undefinable<Schemas["UpdateContactRequest"]>;
export type ListTemplatesQuery = Query<"listTemplates">;
export type ListWebhooksQuery = Query<"listWebhooks">;
export type ListDeliveriesQuery = Query<"listDeliveries">;

/** Times can also be given as `Date`. */
type WithTimes<Input> = {
  [Name in keyof Input]: Name extends "since" | "until" | "updated_since" ? Input[Name] | Date : Input[Name];
};

export type MessageStateChange = Schemas["MessageStateChange"];
export type InboundMessage = Schemas["InboundMessage"];
export type InboundContent = InboundMessage["content"];
export type MessageSentEvent = Schemas["MessageSentEvent"];
export type MessageDeliveredEvent = Schemas["MessageDeliveredEvent"];
export type MessageReadEvent = Schemas["MessageReadEvent"];
export type MessageFailedEvent = Schemas["MessageFailedEvent"];
export type MessageReceivedEvent = Schemas["MessageReceivedEvent"];
export type WebhookTestEvent = Schemas["WebhookTestEvent"];

/**
 * An event of a type that this version of the client doesn't know. Ignore it, or update the client. The type of `type`
 * is a placeholder, so that comparing `event.type` with a known type excludes this one; the value is the real type.
 */
export interface UnknownEvent {
  id: string;
  type: "(unknown to this version of waypost-client)";
  timestamp: string;
  data: unknown;
}

/** The body of a webhook. `type` determines `data`. */
export type Event = Schemas["Event"] | UnknownEvent;
