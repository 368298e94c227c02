/**
 * Types of the API, generated from its OpenAPI document. Don't edit this file: after a change of the API, write it anew
 * with `npm test -- server/client/openapi.test.ts -u`.
 */
export interface components {
    schemas: {
        /** @description A customer, by phone number or by WhatsApp's id. `kind` determines the other field */
        DestinationTo: components["schemas"]["DestinationNumber"] | components["schemas"]["DestinationUser"];
        /** @description Phone number of a customer */
        DestinationNumber: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "whatsapp";
            /**
             * @description Number in E.164 format without the leading plus sign
             * @example 4915112345678
             */
            handle: string;
        };
        /** @description A customer by WhatsApp's id, with or without a known number */
        DestinationUser: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "whatsapp_user";
            /**
             * @description WhatsApp's id of the customer for your business (business-scoped user id), as in `from.user_id` of a received message
             * @example US.13491208655302741918
             */
            user_id: string;
        };
        /** @description The message that this one quotes. It must be of the same conversation */
        ReplyTo: {
            /**
             * Format: uuid
             * @description `message_id` of the quoted message, in either direction
             */
            message_id: string;
        };
        /** @description A file to send. Give `storage_key` or `url` */
        MediaObject: {
            /** @description Preferred: the `storage_key` that `POST /uploads` returned. If `url` is given as well, this file is sent */
            storage_key?: string | null;
            /**
             * Format: uri
             * @description Public https URL, without credentials, from which WhatsApp downloads the file. Without `mime_type`, a path that ends in the extension of another file type is refused
             */
            url?: string | null;
            filename?: string | null;
            /** @description Media type of the file at `url`. An upload has its own media type. It must be one that WhatsApp accepts for the message's type. image: image/jpeg, image/png. audio: audio/aac, audio/amr, audio/mpeg, audio/mp4, audio/ogg. video: video/mp4, video/3gpp. document: application/pdf, text/plain, application/msword, application/vnd.ms-excel, application/vnd.ms-powerpoint, application/vnd.openxmlformats-officedocument.wordprocessingml.document, application/vnd.openxmlformats-officedocument.spreadsheetml.sheet, application/vnd.openxmlformats-officedocument.presentationml.presentation. sticker: image/webp. */
            mime_type?: string | null;
        };
        /** @description A template and its values. Give `template_submission_id`, or `name` and `language` */
        TemplateObject: {
            /** @description Preferred: the id that `GET /templates` returns */
            template_submission_id?: string | null;
            /** @description Name of the template. Use it together with `language`, if you don't give `template_submission_id` */
            name?: string | null;
            /**
             * @description Language of the template, for example `en_US`
             * @example en_US
             */
            language?: string | null;
            /**
             * @description A value for each variable of the template, by its name, for example `1`. No other names are allowed. WhatsApp accepts no value that is empty or blank, or that contains a line break, a tab or more than four spaces in a row
             * @example {
             *       "1": "Ana"
             *     }
             */
            variables?: {
                [key: string]: string | null;
            } | null;
        };
        /** @description A text that the customer answers by a touch. `type` determines the other fields. The answer to buttons and lists arrives as a message with `content.reply` */
        InteractiveObject: components["schemas"]["InteractiveButtons"] | components["schemas"]["InteractiveList"] | components["schemas"]["InteractiveUrl"] | components["schemas"]["InteractiveLocationRequest"];
        /** @description A text with buttons that answer it */
        InteractiveButtons: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "buttons";
            /** @description Text of the message, 1 to 1024 characters, not blank */
            body: string;
            header?: string | null;
            footer?: string | null;
            /** @description Up to three buttons. No id and no title may occur twice */
            buttons: {
                /** @description Your own id of the button, without a space at its beginning or end. The customer's answer contains it */
                id: string;
                /** @description Text on the button */
                title: string;
            }[];
        };
        /** @description A text with a list, of which the customer chooses one row */
        InteractiveList: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "list";
            /** @description Text of the message, 1 to 4096 characters, not blank */
            body: string;
            header?: string | null;
            footer?: string | null;
            /** @description Text on the button that opens the list */
            button: string;
            /** @description The rows to choose from, at most 10 in all sections. No row id may occur twice */
            sections: {
                title?: string | null;
                rows: {
                    /** @description Your own id of the row, without a space at its beginning or end. The customer's answer contains it */
                    id: string;
                    /** @description Text of the row */
                    title: string;
                    description?: string | null;
                }[];
            }[];
        };
        /** @description A text with a button that opens a web page */
        InteractiveUrl: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "cta_url";
            /** @description Text of the message, 1 to 1024 characters, not blank */
            body: string;
            header?: string | null;
            footer?: string | null;
            /** @description Text on the button */
            text: string;
            /**
             * Format: uri
             * @description The http or https URL that the button opens, without credentials
             */
            url: string;
        };
        /** @description A text with a button that sends a location */
        InteractiveLocationRequest: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "location_request";
            /** @description Text of the message, 1 to 1024 characters, not blank */
            body: string;
        };
        /** @description A reaction to a message. A later one to the same message replaces it */
        ReactionObject: {
            /**
             * Format: uuid
             * @description `message_id` of the message to react to, in either direction, of the same conversation
             */
            message_id: string;
            /**
             * @description One emoji. Empty takes the reaction back
             * @example 👍
             */
            emoji: string;
        };
        /** @description A place on the map */
        LocationObject: {
            /** @description Degrees north, from -90 to 90 */
            latitude: number;
            /** @description Degrees east, from -180 to 180 */
            longitude: number;
            name?: string | null;
            address?: string | null;
        };
        /** @description A contact that the customer can save */
        ContactCard: {
            /** @description Full name */
            name: string;
            /** @description Phone numbers */
            phones: string[];
            emails?: string[] | null;
            company?: string | null;
        };
        /**
         * @description A type of event to receive
         * @enum {string}
         */
        WebhookEventType: "message.sent" | "message.delivered" | "message.read" | "message.failed" | "message.received" | "contact.opted_out" | "contact.opted_in" | "contact.changed";
        /**
         * @example {
         *       "ok": true,
         *       "organization_id": "0198e7d0-77a1-7d2c-9b1e-4c5d6e7f8091",
         *       "key": {
         *         "id": "0198e7d2-5f30-7c44-8a6b-1d2e3f405162",
         *         "name": "Order service",
         *         "prefix": "ak_live_9fK2",
         *         "scopes": [
         *           "messages:send",
         *           "messages:read"
         *         ],
         *         "expires_at": null
         *       },
         *       "time": "2026-01-31T12:00:00.000Z"
         *     }
         */
        Ping: {
            /** @constant */
            ok: true;
            /** Format: uuid */
            organization_id: string;
            key: {
                /** Format: uuid */
                id: string;
                name: string;
                prefix: string;
                scopes: string[];
                expires_at: string | null;
            };
            /** Format: date-time */
            time: string;
        };
        /**
         * @example {
         *       "data": [
         *         {
         *           "id": "0198e7d1-0c2e-7b11-a3c4-5d2f8e6b7a90",
         *           "name": "Support",
         *           "display_phone_number": "+49 1512 3456789",
         *           "is_default": true,
         *           "state": "active",
         *           "pause_reason": null
         *         }
         *       ],
         *       "next_cursor": null
         *     }
         */
        ChannelList: {
            data: components["schemas"]["Channel"][];
            /** @description Cursor of the next page. Null on the last page */
            next_cursor: string | null;
        };
        /**
         * @example {
         *       "id": "0198e7d1-0c2e-7b11-a3c4-5d2f8e6b7a90",
         *       "name": "Support",
         *       "display_phone_number": "+49 1512 3456789",
         *       "is_default": true,
         *       "state": "active",
         *       "pause_reason": null
         *     }
         */
        Channel: {
            /**
             * Format: uuid
             * @description Id of the channel: the `channel_id` of messages
             */
            id: string;
            name: string;
            display_phone_number: string;
            /** @description Whether messages are sent from this channel if neither the request nor the contact determines one */
            is_default: boolean;
            /** @description `active`: messages are sent. `paused`: messages are accepted and wait. `disabled`: messages are refused with `channel_forbidden`. More values can be added. */
            state: "active" | "paused" | "disabled" | (string & Record<never, never>);
            /** @description Why the channel is paused. `credentials_invalid`: The access token is invalid or has expired. `permission_missing`: The access token doesn't have permission to send from this number. `account_locked`: The WhatsApp account is restricted. `payment_required`: Meta has no working payment method for the account. `policy_blocked`: The account is blocked for a violation of Meta's policies. `spam_limited`: WhatsApp is currently limiting how many messages the number may send. `number_not_registered`: There is a problem with the number's registration at WhatsApp. New reasons can be added */
            pause_reason: string | null;
        };
        /**
         * @example {
         *       "data": [
         *         {
         *           "contact_id": "0198f0a4-5b3b-7a60-b7de-91c0a4e3f722",
         *           "name": "Ana García",
         *           "identities": [
         *             {
         *               "kind": "whatsapp",
         *               "handle": "4915112345678"
         *             }
         *           ],
         *           "marketing_opt_out": false,
         *           "threads": [
         *             {
         *               "thread_id": "0198f0a4-5b3c-7f14-8a52-64f1b7c2d905",
         *               "contact_id": "0198f0a4-5b3b-7a60-b7de-91c0a4e3f722",
         *               "channel_id": "0198e7d1-0c2e-7b11-a3c4-5d2f8e6b7a90",
         *               "state": "open",
         *               "assignee_id": null,
         *               "window": {
         *                 "open": true,
         *                 "expires_at": "2026-02-01T12:02:10.000Z"
         *               },
         *               "last_message_at": "2026-01-31T12:02:10.000Z"
         *             }
         *           ],
         *           "created_at": "2026-01-31T11:58:00.000Z"
         *         }
         *       ],
         *       "next_cursor": null
         *     }
         */
        ContactList: {
            data: components["schemas"]["Contact"][];
            /** @description Cursor of the next page. Null on the last page */
            next_cursor: string | null;
        };
        /**
         * @description A customer
         * @example {
         *       "contact_id": "0198f0a4-5b3b-7a60-b7de-91c0a4e3f722",
         *       "name": "Ana García",
         *       "identities": [
         *         {
         *           "kind": "whatsapp",
         *           "handle": "4915112345678"
         *         }
         *       ],
         *       "marketing_opt_out": false,
         *       "threads": [
         *         {
         *           "thread_id": "0198f0a4-5b3c-7f14-8a52-64f1b7c2d905",
         *           "contact_id": "0198f0a4-5b3b-7a60-b7de-91c0a4e3f722",
         *           "channel_id": "0198e7d1-0c2e-7b11-a3c4-5d2f8e6b7a90",
         *           "state": "open",
         *           "assignee_id": null,
         *           "window": {
         *             "open": true,
         *             "expires_at": "2026-02-01T12:02:10.000Z"
         *           },
         *           "last_message_at": "2026-01-31T12:02:10.000Z"
         *         }
         *       ],
         *       "created_at": "2026-01-31T11:58:00.000Z"
         *     }
         */
        Contact: {
            /** Format: uuid */
            contact_id: string;
            /** @description As you set it, else the profile name that the customer had chosen. Null if none is known */
            name: string | null;
            /** @description Names that WhatsApp uses for the customer, numbers first, and the current one before former ones */
            identities: {
                /** @description `whatsapp`: a phone number. `whatsapp_user`: WhatsApp's id of the customer, valid for this business only. `whatsapp_parent_user`: the same for the parent business portfolio. More values can be added. */
                kind: "whatsapp" | "whatsapp_user" | "whatsapp_parent_user" | (string & Record<never, never>);
                /** @description The number in E.164 format without the leading plus sign, or the id */
                handle: string;
            }[];
            /** @description True if the customer wants no marketing messages */
            marketing_opt_out: boolean;
            /** @description Conversations with the contact on the channels that the key may use, the latest first */
            threads: components["schemas"]["Thread"][];
            /**
             * Format: date-time
             * @description RFC 3339, UTC
             */
            created_at: string;
        };
        /**
         * @description A conversation: one contact on one channel
         * @example {
         *       "thread_id": "0198f0a4-5b3c-7f14-8a52-64f1b7c2d905",
         *       "contact_id": "0198f0a4-5b3b-7a60-b7de-91c0a4e3f722",
         *       "channel_id": "0198e7d1-0c2e-7b11-a3c4-5d2f8e6b7a90",
         *       "state": "open",
         *       "assignee_id": null,
         *       "window": {
         *         "open": true,
         *         "expires_at": "2026-02-01T12:02:10.000Z"
         *       },
         *       "last_message_at": "2026-01-31T12:02:10.000Z"
         *     }
         */
        Thread: {
            /** Format: uuid */
            thread_id: string;
            /**
             * Format: uuid
             * @description The contact. If it was merged into another one, that one
             */
            contact_id: string;
            /** Format: uuid */
            channel_id: string;
            /** @description As your staff set it. You can send to a closed conversation; it stays closed. More values can be added. */
            state: "open" | "closed" | (string & Record<never, never>);
            /** @description The member who is responsible. Null if nobody is */
            assignee_id: string | null;
            window: components["schemas"]["CustomerWindow"];
            /** @description When the last message of either direction was accepted or received. Null if there is none */
            last_message_at: string | null;
        };
        /** @description The customer service window of the conversation */
        CustomerWindow: {
            /** @description True if messages other than templates can be sent now */
            open: boolean;
            /** @description Until when. Null if the window is closed */
            expires_at: string | null;
        };
        /**
         * @example {
         *       "message_id": "0198f0a4-5b5e-7c3a-9d1f-2f6f0a3c8e11",
         *       "client_message_id": "order-4711-thanks",
         *       "thread_id": "0198f0a4-5b3c-7f14-8a52-64f1b7c2d905",
         *       "contact_id": "0198f0a4-5b3b-7a60-b7de-91c0a4e3f722",
         *       "delivery_state": "queued",
         *       "deduplicated": false
         *     }
         * @example {
         *       "message_id": "0198f0a4-5b5e-7c3a-9d1f-2f6f0a3c8e11",
         *       "client_message_id": "order-4711-thanks",
         *       "thread_id": "0198f0a4-5b3c-7f14-8a52-64f1b7c2d905",
         *       "contact_id": "0198f0a4-5b3b-7a60-b7de-91c0a4e3f722",
         *       "delivery_state": "sent",
         *       "deduplicated": true
         *     }
         */
        SendMessageResponse: {
            /** Format: uuid */
            message_id: string;
            /** Format: uuid */
            thread_id: string;
            /** Format: uuid */
            contact_id: string;
            delivery_state: components["schemas"]["DeliveryState"];
            client_message_id: string;
            deduplicated: boolean;
        };
        /**
         * @description Where a message is. No other state is ever added
         * @enum {string}
         */
        DeliveryState: "queued" | "sent" | "delivered" | "read" | "failed";
        /**
         * @example {
         *       "data": [
         *         {
         *           "message_id": "0198f0a4-5b5e-7c3a-9d1f-2f6f0a3c8e11",
         *           "client_message_id": "order-4711-thanks",
         *           "thread_id": "0198f0a4-5b3c-7f14-8a52-64f1b7c2d905",
         *           "contact_id": "0198f0a4-5b3b-7a60-b7de-91c0a4e3f722",
         *           "channel_id": "0198e7d1-0c2e-7b11-a3c4-5d2f8e6b7a90",
         *           "direction": "outbound",
         *           "type": "text",
         *           "to": {
         *             "kind": "whatsapp",
         *             "handle": "4915112345678",
         *             "user_id": null
         *           },
         *           "from": null,
         *           "content": {
         *             "text": {
         *               "body": "Thank you for your order 4711."
         *             }
         *           },
         *           "reply_to": null,
         *           "delivery_state": "delivered",
         *           "error": null,
         *           "created_at": "2026-01-31T12:00:00.000Z",
         *           "sent_at": "2026-01-31T12:00:01.000Z",
         *           "delivered_at": "2026-01-31T12:00:03.000Z",
         *           "read_at": null,
         *           "failed_at": null
         *         },
         *         {
         *           "message_id": "0198f0a6-1d3e-7b52-8f04-9a6c2e7d5b18",
         *           "client_message_id": null,
         *           "thread_id": "0198f0a4-5b3c-7f14-8a52-64f1b7c2d905",
         *           "contact_id": "0198f0a4-5b3b-7a60-b7de-91c0a4e3f722",
         *           "channel_id": "0198e7d1-0c2e-7b11-a3c4-5d2f8e6b7a90",
         *           "direction": "inbound",
         *           "type": "text",
         *           "to": null,
         *           "from": {
         *             "kind": "whatsapp",
         *             "handle": "4915112345678",
         *             "user_id": null
         *           },
         *           "content": {
         *             "type": "text",
         *             "text": {
         *               "body": "Where is it?"
         *             }
         *           },
         *           "reply_to": {
         *             "message_id": "0198f0a4-5b5e-7c3a-9d1f-2f6f0a3c8e11",
         *             "upstream_id": "wamid.HBgNNDkxNTExMjM0NTY3OBUCABEY"
         *           },
         *           "delivery_state": null,
         *           "error": null,
         *           "created_at": "2026-01-31T12:02:10.000Z",
         *           "sent_at": null,
         *           "delivered_at": null,
         *           "read_at": null,
         *           "failed_at": null
         *         }
         *       ],
         *       "next_cursor": null
         *     }
         */
        MessageList: {
            data: components["schemas"]["Message"][];
            /** @description Cursor of the next page. Null on the last page */
            next_cursor: string | null;
        };
        /**
         * @example {
         *       "message_id": "0198f0a4-5b5e-7c3a-9d1f-2f6f0a3c8e11",
         *       "client_message_id": "order-4711-thanks",
         *       "thread_id": "0198f0a4-5b3c-7f14-8a52-64f1b7c2d905",
         *       "contact_id": "0198f0a4-5b3b-7a60-b7de-91c0a4e3f722",
         *       "channel_id": "0198e7d1-0c2e-7b11-a3c4-5d2f8e6b7a90",
         *       "direction": "outbound",
         *       "type": "text",
         *       "to": {
         *         "kind": "whatsapp",
         *         "handle": "4915112345678",
         *         "user_id": null
         *       },
         *       "from": null,
         *       "content": {
         *         "text": {
         *           "body": "Thank you for your order 4711."
         *         }
         *       },
         *       "reply_to": null,
         *       "delivery_state": "delivered",
         *       "error": null,
         *       "created_at": "2026-01-31T12:00:00.000Z",
         *       "sent_at": "2026-01-31T12:00:01.000Z",
         *       "delivered_at": "2026-01-31T12:00:03.000Z",
         *       "read_at": null,
         *       "failed_at": null
         *     }
         * @example {
         *       "message_id": "0198f0a6-1d3e-7b52-8f04-9a6c2e7d5b18",
         *       "client_message_id": null,
         *       "thread_id": "0198f0a4-5b3c-7f14-8a52-64f1b7c2d905",
         *       "contact_id": "0198f0a4-5b3b-7a60-b7de-91c0a4e3f722",
         *       "channel_id": "0198e7d1-0c2e-7b11-a3c4-5d2f8e6b7a90",
         *       "direction": "inbound",
         *       "type": "text",
         *       "to": null,
         *       "from": {
         *         "kind": "whatsapp",
         *         "handle": "4915112345678",
         *         "user_id": null
         *       },
         *       "content": {
         *         "type": "text",
         *         "text": {
         *           "body": "Where is it?"
         *         }
         *       },
         *       "reply_to": {
         *         "message_id": "0198f0a4-5b5e-7c3a-9d1f-2f6f0a3c8e11",
         *         "upstream_id": "wamid.HBgNNDkxNTExMjM0NTY3OBUCABEY"
         *       },
         *       "delivery_state": null,
         *       "error": null,
         *       "created_at": "2026-01-31T12:02:10.000Z",
         *       "sent_at": null,
         *       "delivered_at": null,
         *       "read_at": null,
         *       "failed_at": null
         *     }
         */
        Message: {
            /** Format: uuid */
            message_id: string;
            client_message_id: string | null;
            /** Format: uuid */
            thread_id: string;
            /** Format: uuid */
            contact_id: string;
            /** Format: uuid */
            channel_id: string;
            direction: components["schemas"]["MessageDirection"];
            /** @description Type of the message, as it was sent. Of a customer's message, WhatsApp's type: `content.type` is Waypost's own. More types can be added. */
            type: string;
            /** @description Recipient of an outbound message. Null for an inbound one */
            to: components["schemas"]["MessageParty"] | null;
            /** @description Sender of an inbound message. Null for an outbound one */
            from: components["schemas"]["MessageParty"] | null;
            /** @description An outbound message: the fields `text`, `media`, `template` and so on of the request. An inbound message: what the customer sent, by `content.type`. Null once the message is erased */
            content: ((components["schemas"]["InboundText"] | components["schemas"]["InboundMedia"] | components["schemas"]["InboundLocation"] | components["schemas"]["InboundContacts"] | components["schemas"]["InboundReply"] | components["schemas"]["InboundForm"] | components["schemas"]["InboundOrder"] | components["schemas"]["InboundReaction"] | components["schemas"]["InboundRevoke"] | components["schemas"]["InboundEvent"] | components["schemas"]["InboundCall"] | components["schemas"]["InboundUnsupported"] | components["schemas"]["InboundUnknown"] | components["schemas"]["InboundEdit"]) | components["schemas"]["SentContent"]) | null;
            /** @description The message that this one quotes. Null if it quotes none */
            reply_to: components["schemas"]["Quote"] | null;
            /** @description Null for an inbound message only */
            delivery_state: components["schemas"]["DeliveryState"] | null;
            error: components["schemas"]["MessageError"] | null;
            /**
             * Format: date-time
             * @description When Waypost accepted the message, or received it from the customer
             */
            created_at: string;
            sent_at: string | null;
            delivered_at: string | null;
            read_at: string | null;
            failed_at: string | null;
        };
        /**
         * @description `outbound`: sent by your organization. `inbound`: written by a customer
         * @enum {string}
         */
        MessageDirection: "outbound" | "inbound";
        /** @description A customer, by a number, by WhatsApp's id, or by both */
        MessageParty: {
            /** @description `whatsapp`: by a phone number. `whatsapp_user`: only by WhatsApp's id of the customer. More values can be added. */
            kind: "whatsapp" | "whatsapp_user" | (string & Record<never, never>);
            /**
             * @description Number in E.164 format without the leading plus sign. Null if it isn't known, and once the message is erased
             * @example 4915112345678
             */
            handle: string | null;
            /** @description WhatsApp's id of the customer, valid for this business only. Null if it isn't known, and once the message is erased */
            user_id: string | null;
        };
        /** @description A text message */
        InboundText: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "text";
            text: {
                body: string;
            };
            /** @description The message that the customer quotes or replies to */
            reply_to?: components["schemas"]["MessageReference"];
            /** @description True if the customer forwarded the message */
            forwarded?: boolean;
            /** @description The product that the customer asks about */
            product?: components["schemas"]["ProductReference"];
            /** @description The advertisement or post that led the customer here */
            referral?: components["schemas"]["Referral"];
        };
        /** @description An earlier message, by WhatsApp's id */
        MessageReference: {
            /** @description WhatsApp's id of the earlier message. Look the message up by its `message_id`, where one is given */
            upstream_id: string;
        };
        /** @description A product of a catalog */
        ProductReference: {
            catalog_id?: string;
            product_id?: string;
        };
        /** @description An advertisement or post, as WhatsApp describes it */
        Referral: {
            [key: string]: string;
        };
        /** @description A media file */
        InboundMedia: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "image" | "audio" | "video" | "document" | "sticker";
            media: {
                /** @description WhatsApp's id of the file. Waypost downloads the file soon after the message: get it with `GET /messages/{id}/media` */
                id: string;
                /** @description Type of the file by its bytes, once Waypost has it. Before, the type that WhatsApp gave */
                mime_type?: string;
                /** @description Size of the file in bytes. Null until Waypost has downloaded it, and therefore in `message.received` */
                size: number | null;
                sha256?: string;
                /** @description File name of a document, without a path and without characters that change its direction */
                filename?: string;
                caption?: string;
                /** @description True for a recorded voice message */
                voice?: boolean;
                /** @description Whether a sticker is animated */
                animated?: boolean;
            };
            /** @description The message that the customer quotes or replies to */
            reply_to?: components["schemas"]["MessageReference"];
            /** @description True if the customer forwarded the message */
            forwarded?: boolean;
            /** @description The product that the customer asks about */
            product?: components["schemas"]["ProductReference"];
            /** @description The advertisement or post that led the customer here */
            referral?: components["schemas"]["Referral"];
        };
        /** @description A location */
        InboundLocation: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "location";
            location: {
                latitude: number;
                longitude: number;
                name?: string;
                address?: string;
                url?: string;
            };
            /** @description The message that the customer quotes or replies to */
            reply_to?: components["schemas"]["MessageReference"];
            /** @description True if the customer forwarded the message */
            forwarded?: boolean;
            /** @description The product that the customer asks about */
            product?: components["schemas"]["ProductReference"];
            /** @description The advertisement or post that led the customer here */
            referral?: components["schemas"]["Referral"];
        };
        /** @description Contact cards */
        InboundContacts: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "contacts";
            contacts: {
                name?: string;
                company?: string;
                birthday?: string;
                /** @description Phone numbers, formatted as on the customer's phone */
                phones?: string[];
                emails?: string[];
                urls?: string[];
                addresses?: string[];
            }[];
            /** @description The message that the customer quotes or replies to */
            reply_to?: components["schemas"]["MessageReference"];
            /** @description True if the customer forwarded the message */
            forwarded?: boolean;
            /** @description The product that the customer asks about */
            product?: components["schemas"]["ProductReference"];
            /** @description The advertisement or post that led the customer here */
            referral?: components["schemas"]["Referral"];
        };
        /** @description The button or list row that the customer chose */
        InboundReply: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "reply";
            reply: {
                /** @description Id of the button or list row, as it was sent */
                id?: string;
                title: string;
                description?: string;
            };
            /** @description The message that the customer quotes or replies to */
            reply_to?: components["schemas"]["MessageReference"];
            /** @description True if the customer forwarded the message */
            forwarded?: boolean;
            /** @description The product that the customer asks about */
            product?: components["schemas"]["ProductReference"];
            /** @description The advertisement or post that led the customer here */
            referral?: components["schemas"]["Referral"];
        };
        /** @description A form that the customer filled in */
        InboundForm: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "form";
            form: {
                name?: string;
                /** @description The form's answers as JSON text, unchanged */
                response: string;
            };
            text?: {
                body: string;
            };
            /** @description The message that the customer quotes or replies to */
            reply_to?: components["schemas"]["MessageReference"];
            /** @description True if the customer forwarded the message */
            forwarded?: boolean;
            /** @description The product that the customer asks about */
            product?: components["schemas"]["ProductReference"];
            /** @description The advertisement or post that led the customer here */
            referral?: components["schemas"]["Referral"];
        };
        /** @description An order of products from a catalog */
        InboundOrder: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "order";
            order: {
                catalog_id?: string;
                text?: string;
                items: {
                    product_id?: string;
                    quantity?: number;
                    price?: number;
                    currency?: string;
                }[];
            };
            /** @description The message that the customer quotes or replies to */
            reply_to?: components["schemas"]["MessageReference"];
            /** @description True if the customer forwarded the message */
            forwarded?: boolean;
            /** @description The product that the customer asks about */
            product?: components["schemas"]["ProductReference"];
            /** @description The advertisement or post that led the customer here */
            referral?: components["schemas"]["Referral"];
        };
        /** @description A reaction to a message */
        InboundReaction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "reaction";
            reaction: {
                /** @description The message that the customer reacted to. Null if Waypost doesn't know it */
                message_id: string | null;
                /** @description WhatsApp's id of the earlier message. Look the message up by its `message_id`, where one is given */
                upstream_id: string;
                /** @description Null if the customer removed the reaction */
                emoji: string | null;
            };
            /** @description The message that the customer quotes or replies to */
            reply_to?: components["schemas"]["MessageReference"];
            /** @description True if the customer forwarded the message */
            forwarded?: boolean;
            /** @description The product that the customer asks about */
            product?: components["schemas"]["ProductReference"];
            /** @description The advertisement or post that led the customer here */
            referral?: components["schemas"]["Referral"];
        };
        /** @description The customer deleted a message */
        InboundRevoke: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "revoke";
            revokes: components["schemas"]["MessageReference"];
            /** @description The message that the customer quotes or replies to */
            reply_to?: components["schemas"]["MessageReference"];
            /** @description True if the customer forwarded the message */
            forwarded?: boolean;
            /** @description The product that the customer asks about */
            product?: components["schemas"]["ProductReference"];
            /** @description The advertisement or post that led the customer here */
            referral?: components["schemas"]["Referral"];
        };
        /** @description An event that WhatsApp reports about the customer */
        InboundEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "event";
            event: {
                /** @description WhatsApp's name for the event, for example `user_changed_number` */
                kind: string;
                text?: string;
            };
            /** @description The message that the customer quotes or replies to */
            reply_to?: components["schemas"]["MessageReference"];
            /** @description True if the customer forwarded the message */
            forwarded?: boolean;
            /** @description The product that the customer asks about */
            product?: components["schemas"]["ProductReference"];
            /** @description The advertisement or post that led the customer here */
            referral?: components["schemas"]["Referral"];
        };
        /** @description The customer called */
        InboundCall: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "call";
            /** @description The message that the customer quotes or replies to */
            reply_to?: components["schemas"]["MessageReference"];
            /** @description True if the customer forwarded the message */
            forwarded?: boolean;
            /** @description The product that the customer asks about */
            product?: components["schemas"]["ProductReference"];
            /** @description The advertisement or post that led the customer here */
            referral?: components["schemas"]["Referral"];
        };
        /** @description A message that WhatsApp can't forward to businesses */
        InboundUnsupported: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "unsupported";
            unsupported: {
                /** @description WhatsApp's name for the message type */
                kind?: string;
                reason?: string;
            };
            /** @description The message that the customer quotes or replies to */
            reply_to?: components["schemas"]["MessageReference"];
            /** @description True if the customer forwarded the message */
            forwarded?: boolean;
            /** @description The product that the customer asks about */
            product?: components["schemas"]["ProductReference"];
            /** @description The advertisement or post that led the customer here */
            referral?: components["schemas"]["Referral"];
        };
        /** @description A WhatsApp message type that Waypost doesn't know or can't read */
        InboundUnknown: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "unknown";
            /** @description The content as WhatsApp sent it */
            detail?: unknown;
            /** @description The message that the customer quotes or replies to */
            reply_to?: components["schemas"]["MessageReference"];
            /** @description True if the customer forwarded the message */
            forwarded?: boolean;
            /** @description The product that the customer asks about */
            product?: components["schemas"]["ProductReference"];
            /** @description The advertisement or post that led the customer here */
            referral?: components["schemas"]["Referral"];
        };
        /** @description The customer edited a message */
        InboundEdit: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "edit";
            edits: {
                /** @description WhatsApp's id of the earlier message. Look the message up by its `message_id`, where one is given */
                upstream_id: string;
                /** @description The content of the message after the edit */
                content?: components["schemas"]["InboundText"] | components["schemas"]["InboundMedia"] | components["schemas"]["InboundLocation"] | components["schemas"]["InboundContacts"] | components["schemas"]["InboundReply"] | components["schemas"]["InboundForm"] | components["schemas"]["InboundOrder"] | components["schemas"]["InboundReaction"] | components["schemas"]["InboundRevoke"] | components["schemas"]["InboundEvent"] | components["schemas"]["InboundCall"] | components["schemas"]["InboundUnsupported"] | components["schemas"]["InboundUnknown"];
            };
            /** @description The message that the customer quotes or replies to */
            reply_to?: components["schemas"]["MessageReference"];
            /** @description True if the customer forwarded the message */
            forwarded?: boolean;
            /** @description The product that the customer asks about */
            product?: components["schemas"]["ProductReference"];
            /** @description The advertisement or post that led the customer here */
            referral?: components["schemas"]["Referral"];
        };
        /** @description The content fields of the request, as it was sent. The `type` of the message selects them */
        SentContent: {
            /** @description A text, or the caption of a file */
            text?: {
                body: string;
            } & {
                [key: string]: unknown;
            };
            media?: {
                storage_key?: string;
                url?: string;
                filename?: string;
                mime_type?: string;
            } & {
                [key: string]: unknown;
            };
            template?: {
                template_submission_id?: string;
                name?: string;
                language?: string;
                variables?: {
                    [key: string]: string;
                };
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        /** @description The message that another one quotes or replies to */
        Quote: {
            /** @description Null if Waypost doesn't know the message */
            message_id: string | null;
            /** @description WhatsApp's id of the message. Null while the message has none, because it isn't sent yet */
            upstream_id: string | null;
        };
        /** @description Why a message failed */
        MessageError: {
            /** @description `outside_customer_window`: The customer service window is closed. It is open for 24 hours after the customer writes on this channel. `template_not_approved`: The template doesn't exist on this channel, or WhatsApp hasn't approved it. `template_variables_mismatch`: The variables don't match the template. `invalid_media`: WhatsApp doesn't accept this file, or the upload doesn't exist. `undeliverable`: WhatsApp couldn't deliver the message to this number. `recipient_not_allowed`: WhatsApp doesn't allow this business to send messages to people in the customer's country. `recipient_blocked`: Your business has blocked this customer on WhatsApp. `recipient_opted_out`: The customer has opted out of marketing messages from your business. `engagement_limited`: WhatsApp decided not to send the message to this customer now. `reacted_message_failed`: The message that the reaction belongs to failed, so the customer doesn't have it. `contact_erased`: The contact was erased before the message was sent. `channel_unavailable`: WhatsApp refused the message because of the sending number or its account. `upstream_unavailable`: WhatsApp accepted the message but then couldn't send it. `upstream_rejected`: WhatsApp refused the message. `upstream_unconfirmed`: The message was sent to WhatsApp, but no response or status shows whether WhatsApp accepted it. `expired`: The message waited for 12 hours and was never sent to WhatsApp. More codes can be added. */
            code: "outside_customer_window" | "template_not_approved" | "template_variables_mismatch" | "invalid_media" | "undeliverable" | "recipient_not_allowed" | "recipient_blocked" | "recipient_opted_out" | "engagement_limited" | "reacted_message_failed" | "contact_erased" | "channel_unavailable" | "upstream_unavailable" | "upstream_rejected" | "upstream_unconfirmed" | "expired" | (string & Record<never, never>);
            message: string;
            resend: components["schemas"]["ResendAdvice"];
            resend_after: string | null;
            /** @description Link to the documentation of the code */
            doc_url: string | null;
            /** @description WhatsApp's error, from the response or status that caused the failure. Null if Waypost's own rules caused it. For people and for support: programs should act on `code` */
            upstream: components["schemas"]["UpstreamError"] | null;
        };
        /**
         * @description `safe`: the message was not delivered, because WhatsApp said so or because it was never handed over. `later`: sending again can succeed later, from `resend_after` or after `Retry-After` if given. `never`: the same request would be refused again, or must not be sent. Change it first. `may_duplicate`: WhatsApp may have accepted the message. If you send it again, the customer can get it twice. After a refusal, repeat the same request. To resend a failed message, use a new `client_message_id`
         * @enum {string}
         */
        ResendAdvice: "safe" | "later" | "never" | "may_duplicate";
        /** @description An error of WhatsApp */
        UpstreamError: {
            /**
             * @description WhatsApp's error code
             * @example 131026
             */
            code: number;
            /**
             * @description Title of the code in WhatsApp's documentation. For a code that Waypost doesn't know, the title that WhatsApp sent, or null
             * @example Message undeliverable
             */
            title: string | null;
        };
        /**
         * @description A customer's message that was marked as read, with those before it
         * @example {
         *       "message_id": "0198f0a7-1d3e-7b60-a4c2-5f6e7d8c9b0a",
         *       "thread_id": "0198f0a4-5b60-7e8f-9a0b-1c2d3e4f5a6b",
         *       "typing": false
         *     }
         */
        ReadMark: {
            /** Format: uuid */
            message_id: string;
            /** Format: uuid */
            thread_id: string;
            /** @description Whether the typing indicator was requested */
            typing: boolean;
        };
        /**
         * @example {
         *       "data": [
         *         {
         *           "template_submission_id": "0198e7d4-3a90-7f66-8c1d-2e3f40516273",
         *           "channel_id": "0198e7d1-0c2e-7b11-a3c4-5d2f8e6b7a90",
         *           "name": "order_shipped",
         *           "language": "en_US",
         *           "category": "utility",
         *           "state": "approved",
         *           "reason": null,
         *           "variables": [
         *             "1",
         *             "2"
         *           ],
         *           "body": "Hello {{1}}, your order {{2}} is on its way."
         *         }
         *       ],
         *       "next_cursor": null
         *     }
         */
        TemplateList: {
            data: components["schemas"]["Template"][];
            /** @description Cursor of the next page. Null on the last page */
            next_cursor: string | null;
        };
        /**
         * @example {
         *       "template_submission_id": "0198e7d4-3a90-7f66-8c1d-2e3f40516273",
         *       "channel_id": "0198e7d1-0c2e-7b11-a3c4-5d2f8e6b7a90",
         *       "name": "order_shipped",
         *       "language": "en_US",
         *       "category": "utility",
         *       "state": "approved",
         *       "reason": null,
         *       "variables": [
         *         "1",
         *         "2"
         *       ],
         *       "body": "Hello {{1}}, your order {{2}} is on its way."
         *     }
         */
        Template: {
            /** Format: uuid */
            template_submission_id: string;
            /** Format: uuid */
            channel_id: string;
            name: string;
            language: string;
            /** @description WhatsApp's category, such as `utility`. WhatsApp can add more */
            category: string | null;
            /** @description Only an approved template can be sent. More values can be added. */
            state: "pending" | "approved" | "rejected" | "paused" | "disabled" | (string & Record<never, never>);
            /** @description Why the template is rejected, paused or disabled, in WhatsApp's words */
            reason: string | null;
            /** @description The variables that `template.variables` of a message must contain, no more and no fewer. `1`, or a name: a placeholder in the text. `header.1`: a placeholder in the header. `header.url`: the https URL of the header's image, video or document. `button.0.1`: the placeholder in the URL of the first button. `button.0.code`: the code that the first button copies. The prefix `card.0.`: the variable is in the first card of a carousel. */
            variables: string[];
            /** @description The text of the template, with its placeholders */
            body: string | null;
        };
        /**
         * @example {
         *       "data": [
         *         {
         *           "thread_id": "0198f0a4-5b3c-7f14-8a52-64f1b7c2d905",
         *           "contact_id": "0198f0a4-5b3b-7a60-b7de-91c0a4e3f722",
         *           "channel_id": "0198e7d1-0c2e-7b11-a3c4-5d2f8e6b7a90",
         *           "state": "open",
         *           "assignee_id": null,
         *           "window": {
         *             "open": true,
         *             "expires_at": "2026-02-01T12:02:10.000Z"
         *           },
         *           "last_message_at": "2026-01-31T12:02:10.000Z"
         *         }
         *       ],
         *       "next_cursor": null
         *     }
         */
        ThreadList: {
            data: components["schemas"]["Thread"][];
            /** @description Cursor of the next page. Null on the last page */
            next_cursor: string | null;
        };
        /**
         * @example {
         *       "storage_key": "upl_4f6c1d0b9a8e47f2a3c5d6e7f8091a2b",
         *       "mime_type": "application/pdf",
         *       "size": 48213,
         *       "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
         *       "expires_at": "2026-03-02T12:00:00.000Z"
         *     }
         */
        Upload: {
            storage_key: string;
            mime_type: string;
            size: number;
            sha256: string;
            /** Format: date-time */
            expires_at: string;
        };
        /**
         * @example {
         *       "data": [
         *         {
         *           "id": "0198f0a1-6d20-7a35-9e84-0b1c2d3e4f50",
         *           "url": "https://www.example.com/waypost",
         *           "events": [
         *             "message.delivered",
         *             "message.failed"
         *           ],
         *           "description": "Order service",
         *           "channel_ids": null,
         *           "enabled": true,
         *           "disabled_at": null,
         *           "disabled_reason": null,
         *           "failing_since": null,
         *           "former_secret_ends_at": null,
         *           "created_at": "2026-01-30T09:00:00.000Z"
         *         }
         *       ],
         *       "next_cursor": null
         *     }
         */
        WebhookEndpointList: {
            data: components["schemas"]["WebhookEndpoint"][];
            /** @description Cursor of the next page. Null on the last page */
            next_cursor: string | null;
        };
        /**
         * @example {
         *       "id": "0198f0a1-6d20-7a35-9e84-0b1c2d3e4f50",
         *       "url": "https://www.example.com/waypost",
         *       "events": [
         *         "message.delivered",
         *         "message.failed"
         *       ],
         *       "description": "Order service",
         *       "channel_ids": null,
         *       "enabled": true,
         *       "disabled_at": null,
         *       "disabled_reason": null,
         *       "failing_since": null,
         *       "former_secret_ends_at": null,
         *       "created_at": "2026-01-30T09:00:00.000Z"
         *     }
         */
        WebhookEndpoint: {
            /** Format: uuid */
            id: string;
            /** @description Null if the events of the endpoint are fetched */
            url: string | null;
            events: ("message.sent" | "message.delivered" | "message.read" | "message.failed" | "message.received" | "contact.opted_out" | "contact.opted_in" | "contact.changed" | "webhook.test" | (string & Record<never, never>))[];
            description: string;
            /** @description Null for events of all channels */
            channel_ids: string[] | null;
            enabled: boolean;
            disabled_at: string | null;
            /** @description `member`: a member or a key disabled it. `failing`: every call had failed for 5 days. `gone`: it responded with 410. */
            disabled_reason: ("member" | "failing" | "gone" | (string & Record<never, never>)) | null;
            /** @description Time since which every call has failed */
            failing_since: string | null;
            /** @description Until this time, events are also signed with a former secret. Null if only the current secret signs */
            former_secret_ends_at: string | null;
            /**
             * Format: date-time
             * @description RFC 3339, UTC
             */
            created_at: string;
        };
        /**
         * @example {
         *       "id": "0198f0a1-6d20-7a35-9e84-0b1c2d3e4f50",
         *       "url": "https://www.example.com/waypost",
         *       "events": [
         *         "message.delivered",
         *         "message.failed"
         *       ],
         *       "description": "Order service",
         *       "channel_ids": null,
         *       "enabled": true,
         *       "disabled_at": null,
         *       "disabled_reason": null,
         *       "failing_since": null,
         *       "former_secret_ends_at": null,
         *       "created_at": "2026-01-30T09:00:00.000Z",
         *       "secret": "whsec_…"
         *     }
         */
        WebhookEndpointWithSecret: {
            /** Format: uuid */
            id: string;
            /** @description Null if the events of the endpoint are fetched */
            url: string | null;
            events: ("message.sent" | "message.delivered" | "message.read" | "message.failed" | "message.received" | "contact.opted_out" | "contact.opted_in" | "contact.changed" | "webhook.test" | (string & Record<never, never>))[];
            description: string;
            /** @description Null for events of all channels */
            channel_ids: string[] | null;
            enabled: boolean;
            disabled_at: string | null;
            /** @description `member`: a member or a key disabled it. `failing`: every call had failed for 5 days. `gone`: it responded with 410. */
            disabled_reason: ("member" | "failing" | "gone" | (string & Record<never, never>)) | null;
            /** @description Time since which every call has failed */
            failing_since: string | null;
            /** @description Until this time, events are also signed with a former secret. Null if only the current secret signs */
            former_secret_ends_at: string | null;
            /**
             * Format: date-time
             * @description RFC 3339, UTC
             */
            created_at: string;
            /** @description Signing secret of the endpoint. Shown only this once */
            secret: string;
        };
        /**
         * @example {
         *       "delivery_id": "0198f0a9-2b61-7d3e-9c4f-506172839405",
         *       "event_id": "0198f0a9-2b60-7c1d-8e2f-30415263748a",
         *       "state": "delivered",
         *       "http_status": 204,
         *       "error_class": null,
         *       "duration_ms": 52,
         *       "answer": ""
         *     }
         */
        WebhookTest: {
            /** Format: uuid */
            delivery_id: string;
            /**
             * Format: uuid
             * @description Id of the test event: its `webhook-id`, and the `id` in its body
             */
            event_id: string;
            /** @description `available`: the endpoint has no URL, and the test event can be fetched. More values can be added. */
            state: "delivered" | "failed" | "available" | (string & Record<never, never>);
            http_status: number | null;
            /** @description Why the test failed */
            error_class: ("dns" | "connection" | "reset" | "tls" | "timeout" | "forbidden" | "invalid_answer" | "redirect" | "status" | "rate_limited" | "gone" | "interrupted" | "erased" | (string & Record<never, never>)) | null;
            duration_ms: number | null;
            /** @description The first 2 KB of the response body, which can be empty. Null if no response arrived */
            answer: string | null;
        };
        /**
         * @example {
         *       "data": [
         *         {
         *           "id": "0198f0a4-6011-7c2d-8b3e-4f5061728394",
         *           "event_id": "0198f0a4-6010-7b0e-a5f3-0d2e9c41b7a1",
         *           "type": "message.sent",
         *           "state": "delivered",
         *           "message_id": "0198f0a4-5b5e-7c3a-9d1f-2f6f0a3c8e11",
         *           "contact_id": null,
         *           "created_at": "2026-01-31T12:00:01.204Z",
         *           "next_attempt_at": null,
         *           "attempts": [
         *             {
         *               "number": 1,
         *               "started_at": "2026-01-31T12:00:01.206Z",
         *               "duration_ms": 48,
         *               "http_status": 204,
         *               "error_class": null,
         *               "answer": null
         *             }
         *           ],
         *           "attempts_count": 1
         *         }
         *       ],
         *       "next_cursor": null
         *     }
         */
        WebhookDeliveryList: {
            data: components["schemas"]["WebhookDelivery"][];
            /** @description Cursor of the next page. Null on the last page. With `order=oldest` it is never null: store it to get later events */
            next_cursor: string | null;
        };
        /**
         * @example {
         *       "id": "0198f0a4-6011-7c2d-8b3e-4f5061728394",
         *       "event_id": "0198f0a4-6010-7b0e-a5f3-0d2e9c41b7a1",
         *       "type": "message.sent",
         *       "state": "delivered",
         *       "message_id": "0198f0a4-5b5e-7c3a-9d1f-2f6f0a3c8e11",
         *       "contact_id": null,
         *       "created_at": "2026-01-31T12:00:01.204Z",
         *       "next_attempt_at": null,
         *       "attempts": [
         *         {
         *           "number": 1,
         *           "started_at": "2026-01-31T12:00:01.206Z",
         *           "duration_ms": 48,
         *           "http_status": 204,
         *           "error_class": null,
         *           "answer": null
         *         }
         *       ],
         *       "attempts_count": 1
         *     }
         */
        WebhookDelivery: {
            /**
             * Format: uuid
             * @description Id of the delivery: one event for this endpoint
             */
            id: string;
            /**
             * Format: uuid
             * @description Id of the event: its `webhook-id`, and the `id` in its body. It is the same for every endpoint and every delivery attempt
             */
            event_id: string;
            /** @description More values can be added. */
            type: "message.sent" | "message.delivered" | "message.read" | "message.failed" | "message.received" | "contact.opted_out" | "contact.opted_in" | "contact.changed" | "webhook.test" | (string & Record<never, never>);
            /** @description `pending`: The delivery is waiting for its next attempt, or is being posted now. `delivered`: Your endpoint responded with a 2xx status. `failed`: The final attempt failed. Waypost makes no further attempt unless you request one. `skipped`: The endpoint was disabled before the event could be posted. `available`: The endpoint has no URL: the event can be fetched for 7 days. More values can be added. */
            state: "pending" | "delivered" | "failed" | "skipped" | "available" | (string & Record<never, never>);
            /** @description Message of the event. Null if it is about none */
            message_id: string | null;
            /** @description Contact that the event is about. Null for events of messages, and for tests */
            contact_id: string | null;
            /**
             * Format: date-time
             * @description When the event was created
             */
            created_at: string;
            /** @description Time of the next attempt. Null if no further attempt is scheduled. It can be in the past while the endpoint is paused because it can't be reached, times out or responds with 429 */
            next_attempt_at: string | null;
            /** @description Oldest first: all attempts, or the latest 50 if there are more */
            attempts: {
                /** @description Number of the attempt, from 1. It keeps counting when the delivery is queued again */
                number: number;
                /**
                 * Format: date-time
                 * @description RFC 3339, UTC
                 */
                started_at: string;
                /** @description Null while the attempt is running, and if the duration wasn't measured */
                duration_ms: number | null;
                /** @description Null if there was no response */
                http_status: number | null;
                /** @description Why the attempt failed. Null if it succeeded, and while it is running. `dns`: The host name in the URL could not be resolved to an address. `connection`: Nothing accepts connections at the URL. `reset`: The connection was closed before a response arrived. `tls`: The TLS certificate is not trusted. `timeout`: No response arrived within 15 seconds. `forbidden`: The URL resolves to an address that isn't public. `invalid_answer`: The response isn't valid HTTP. `redirect`: The response was a redirect. Redirects aren't followed. `status`: The response had a status other than 2xx. `rate_limited`: The response was 429: the endpoint asks for fewer events. `gone`: The response was 410: the endpoint is gone. It is disabled, unless the event was a test. `interrupted`: Waypost stopped during the call, so it is unknown whether the event arrived. It is retried. `erased`: The content was erased before the event could be posted. */
                error_class: ("dns" | "connection" | "reset" | "tls" | "timeout" | "forbidden" | "invalid_answer" | "redirect" | "status" | "rate_limited" | "gone" | "interrupted" | "erased" | (string & Record<never, never>)) | null;
                /** @description The first 2 KB of the response body. Null if the body is empty, if no response arrived, and once it is erased */
                answer: string | null;
            }[];
            /** @description Number of all attempts, including those that `attempts` leaves out */
            attempts_count: number;
            /** @description Only with `include=payload`: the exact text that is signed. Null once it is erased */
            body?: string | null;
            /** @description Only with `include=payload`: the signature headers, computed now. Null if `body` is null */
            headers?: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            } | null;
        };
        /**
         * @example {
         *       "replay_id": "0198f0b3-2c44-7f6a-8f0d-7e5b1c9a4d20",
         *       "dry_run": false,
         *       "since": "2026-01-31T11:00:00.000Z",
         *       "until": "2026-01-31T12:00:00.000Z",
         *       "only": "failed",
         *       "count": 17,
         *       "count_is_exact": true
         *     }
         */
        WebhookReplay: {
            /** @description Null for a dry run */
            replay_id: string | null;
            dry_run: boolean;
            /**
             * Format: date-time
             * @description RFC 3339, UTC
             */
            since: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC
             */
            until: string;
            /** @description More values can be added. */
            only: "failed" | "skipped" | "all" | (string & Record<never, never>);
            /** @description Number of deliveries that are queued again, counted when the replay began, among the first 100000 deliveries of the period */
            count: number;
            /** @description False if there may be more than `count`. All of them are queued again anyway */
            count_is_exact: boolean;
        };
        /** @description A message, as it was after the change of its state */
        MessageStateChange: {
            /** Format: uuid */
            message_id: string;
            client_message_id: string | null;
            /** Format: uuid */
            thread_id: string;
            /** Format: uuid */
            contact_id: string;
            /** Format: uuid */
            channel_id: string;
            direction: components["schemas"]["MessageDirection"];
            /** @description Type of the message, as it was sent. Of a customer's message, WhatsApp's type: `content.type` is Waypost's own. More types can be added. */
            type: string;
            /** @description Recipient of an outbound message. Null for an inbound one */
            to: components["schemas"]["MessageParty"] | null;
            /** @description Sender of an inbound message. Null for an outbound one */
            from: components["schemas"]["MessageParty"] | null;
            /** @description An outbound message: the fields `text`, `media`, `template` and so on of the request. An inbound message: what the customer sent, by `content.type`. Null once the message is erased */
            content: ((components["schemas"]["InboundText"] | components["schemas"]["InboundMedia"] | components["schemas"]["InboundLocation"] | components["schemas"]["InboundContacts"] | components["schemas"]["InboundReply"] | components["schemas"]["InboundForm"] | components["schemas"]["InboundOrder"] | components["schemas"]["InboundReaction"] | components["schemas"]["InboundRevoke"] | components["schemas"]["InboundEvent"] | components["schemas"]["InboundCall"] | components["schemas"]["InboundUnsupported"] | components["schemas"]["InboundUnknown"] | components["schemas"]["InboundEdit"]) | components["schemas"]["SentContent"]) | null;
            /** @description The message that this one quotes. Null if it quotes none */
            reply_to: components["schemas"]["Quote"] | null;
            delivery_state: components["schemas"]["DeliveryState"];
            error: components["schemas"]["MessageError"] | null;
            /**
             * Format: date-time
             * @description When Waypost accepted the message, or received it from the customer
             */
            created_at: string;
            sent_at: string | null;
            delivered_at: string | null;
            read_at: string | null;
            failed_at: string | null;
            /** @description State before this change */
            previous_state: components["schemas"]["DeliveryState"];
            /** @description Number of this event among the events of this message, from 1 and without gaps. Events can arrive in a different order: the event with the higher number is newer */
            sequence: number;
            /** @description True if WhatsApp reported no delivery, only that the customer has read the message, which implies the delivery */
            inferred: boolean;
        };
        /** @description WhatsApp accepted a message */
        MessageSentEvent: {
            /**
             * Format: uuid
             * @description Id of the event, equal to its `webhook-id`. It is the same for every endpoint and every delivery attempt
             */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "message.sent";
            /**
             * Format: date-time
             * @description When the event happened, by Waypost's clock
             */
            timestamp: string;
            data: components["schemas"]["MessageStateChange"];
        };
        /** @description A message was delivered */
        MessageDeliveredEvent: {
            /**
             * Format: uuid
             * @description Id of the event, equal to its `webhook-id`. It is the same for every endpoint and every delivery attempt
             */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "message.delivered";
            /**
             * Format: date-time
             * @description When the event happened, by Waypost's clock
             */
            timestamp: string;
            data: components["schemas"]["MessageStateChange"];
        };
        /** @description A message was read */
        MessageReadEvent: {
            /**
             * Format: uuid
             * @description Id of the event, equal to its `webhook-id`. It is the same for every endpoint and every delivery attempt
             */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "message.read";
            /**
             * Format: date-time
             * @description When the event happened, by Waypost's clock
             */
            timestamp: string;
            data: components["schemas"]["MessageStateChange"];
        };
        /** @description A message failed */
        MessageFailedEvent: {
            /**
             * Format: uuid
             * @description Id of the event, equal to its `webhook-id`. It is the same for every endpoint and every delivery attempt
             */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "message.failed";
            /**
             * Format: date-time
             * @description When the event happened, by Waypost's clock
             */
            timestamp: string;
            data: components["schemas"]["MessageStateChange"];
        };
        /** @description A message that a customer sent */
        InboundMessage: {
            /** Format: uuid */
            message_id: string;
            /** Format: uuid */
            thread_id: string;
            /** Format: uuid */
            contact_id: string;
            /** Format: uuid */
            channel_id: string;
            /**
             * @description WhatsApp's message type, for example `text` or `interactive`. WhatsApp adds types over time. `content.type` is Waypost's own type
             * @example text
             */
            type: string;
            /** @constant */
            direction: "inbound";
            /** @description Null, as in each inbound message */
            to: null;
            from: {
                /** @description `whatsapp`: by a phone number. `whatsapp_user`: only by WhatsApp's id of the customer. More values can be added. */
                kind: "whatsapp" | "whatsapp_user" | (string & Record<never, never>);
                /**
                 * @description Number in E.164 format without the leading plus sign. Null if it isn't known, and once the message is erased
                 * @example 4915112345678
                 */
                handle: string | null;
                /** @description WhatsApp's id of the customer, valid for this business only. Null if it isn't known, and once the message is erased */
                user_id: string | null;
                /** @description Profile name that the customer has chosen */
                name: string | null;
            };
            /** @description What the customer sent. `type` is the kind of content and determines the other fields. New kinds can be added: treat a kind that you don't know as `unknown` */
            content: components["schemas"]["InboundText"] | components["schemas"]["InboundMedia"] | components["schemas"]["InboundLocation"] | components["schemas"]["InboundContacts"] | components["schemas"]["InboundReply"] | components["schemas"]["InboundForm"] | components["schemas"]["InboundOrder"] | components["schemas"]["InboundReaction"] | components["schemas"]["InboundRevoke"] | components["schemas"]["InboundEvent"] | components["schemas"]["InboundCall"] | components["schemas"]["InboundUnsupported"] | components["schemas"]["InboundUnknown"] | components["schemas"]["InboundEdit"];
            /** @description The message that this one quotes. Null if it quotes none */
            reply_to: components["schemas"]["Quote"] | null;
            /**
             * Format: date-time
             * @description When the customer wrote the message, by WhatsApp's clock, to the second. There is no `sequence`: use this field for ordering
             */
            written_at: string;
            /**
             * Format: date-time
             * @description When Waypost received the message
             */
            received_at: string;
        };
        /** @description A customer sent a message */
        MessageReceivedEvent: {
            /**
             * Format: uuid
             * @description Id of the event, equal to its `webhook-id`. It is the same for every endpoint and every delivery attempt
             */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "message.received";
            /**
             * Format: date-time
             * @description When the event happened, by Waypost's clock
             */
            timestamp: string;
            data: components["schemas"]["InboundMessage"];
        };
        /** @description A contact whose decision about marketing messages has changed */
        ContactPreferenceChange: {
            /** Format: uuid */
            contact_id: string;
            /** @description Number of this event among the events of this contact, from 1 and without gaps. Events can arrive in a different order: the event with the higher number is newer */
            sequence: number;
            identities: {
                /** @description `whatsapp`: a phone number. `whatsapp_user`: WhatsApp's id of the customer, valid for this business only. `whatsapp_parent_user`: the same for the parent business portfolio. More values can be added. */
                kind: "whatsapp" | "whatsapp_user" | "whatsapp_parent_user" | (string & Record<never, never>);
                /** @description The number in E.164 format without the leading plus sign, or the id */
                handle: string;
            }[];
            /** @description True if the customer wants no marketing messages: the state of the contact after this event */
            marketing_opt_out: boolean;
            /** @description Where the decision comes from. `whatsapp`: the customer's setting in WhatsApp, or the decision of another contact that WhatsApp proved to be the same person. `word`: a text of the customer, or the button of a template that the customer tapped, is one of your opt-out or opt-in words. `api`: a request of an API key. `member`: a member of your organization. `upstream`: WhatsApp refused a marketing message, because the customer had stopped them. More values can be added. */
            source: "whatsapp" | "word" | "api" | "member" | "upstream" | (string & Record<never, never>);
            /**
             * Format: date-time
             * @description When it was decided or changed: by WhatsApp's clock, to the second, if WhatsApp gives the time, else by Waypost's clock
             */
            at: string;
        };
        /** @description A customer no longer wants marketing messages */
        ContactOpted_outEvent: {
            /**
             * Format: uuid
             * @description Id of the event, equal to its `webhook-id`. It is the same for every endpoint and every delivery attempt
             */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "contact.opted_out";
            /**
             * Format: date-time
             * @description When the event happened, by Waypost's clock
             */
            timestamp: string;
            data: components["schemas"]["ContactPreferenceChange"];
        };
        /** @description A customer wants marketing messages again */
        ContactOpted_inEvent: {
            /**
             * Format: uuid
             * @description Id of the event, equal to its `webhook-id`. It is the same for every endpoint and every delivery attempt
             */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "contact.opted_in";
            /**
             * Format: date-time
             * @description When the event happened, by Waypost's clock
             */
            timestamp: string;
            data: components["schemas"]["ContactPreferenceChange"];
        };
        /** @description A contact that has a new number, or a new id at WhatsApp */
        ContactChange: {
            /** Format: uuid */
            contact_id: string;
            /** @description Number of this event among the events of this contact, from 1 and without gaps. Events can arrive in a different order: the event with the higher number is newer */
            sequence: number;
            old: components["schemas"]["MessageParty"];
            new: components["schemas"]["MessageParty"];
            /**
             * Format: date-time
             * @description When it was decided or changed: by WhatsApp's clock, to the second, if WhatsApp gives the time, else by Waypost's clock
             */
            at: string;
        };
        /** @description A customer has a new number */
        ContactChangedEvent: {
            /**
             * Format: uuid
             * @description Id of the event, equal to its `webhook-id`. It is the same for every endpoint and every delivery attempt
             */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "contact.changed";
            /**
             * Format: date-time
             * @description When the event happened, by Waypost's clock
             */
            timestamp: string;
            data: components["schemas"]["ContactChange"];
        };
        /** @description The endpoint is tested */
        WebhookTestEvent: {
            /**
             * Format: uuid
             * @description Id of the event, equal to its `webhook-id`. It is the same for every endpoint and every delivery attempt
             */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "webhook.test";
            /**
             * Format: date-time
             * @description When the event happened, by Waypost's clock
             */
            timestamp: string;
            data: {
                /** Format: uuid */
                endpoint_id: string;
                message: string;
            };
        };
        /** @description The body of every webhook. `type` determines `data`. More types can be added: ignore one that you don't know */
        Event: components["schemas"]["MessageSentEvent"] | components["schemas"]["MessageDeliveredEvent"] | components["schemas"]["MessageReadEvent"] | components["schemas"]["MessageFailedEvent"] | components["schemas"]["MessageReceivedEvent"] | components["schemas"]["ContactOpted_outEvent"] | components["schemas"]["ContactOpted_inEvent"] | components["schemas"]["ContactChangedEvent"] | components["schemas"]["WebhookTestEvent"];
        SendTextMessage: {
            /** @description Your own id of this message (idempotency key), unique in the organization. To retry safely, repeat the same body with the same id. */
            client_message_id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "text";
            /** @description Id of the WhatsApp channel. Recommended. Without it, a message with `to` is sent from the channel of the template that `template_submission_id` identifies, or else from the channel that the customer last wrote to, or else from the default channel, or else from the first channel that the key may use */
            channel_id?: string | null;
            /** @description Id of the conversation. Give either `thread_id` or `to` */
            thread_id?: string | null;
            /** @description The customer, by phone number or by WhatsApp's id. Give either `thread_id` or `to` */
            to?: components["schemas"]["DestinationTo"] | null;
            /** @description The message that this one quotes. WhatsApp shows no quote with a template. Refused with type reaction, which names its message itself */
            reply_to?: components["schemas"]["ReplyTo"] | null;
            text: components["schemas"]["TextObject"];
        };
        /** @description The text of a message */
        TextObject: {
            /** @description Text that the customer reads. Not blank */
            body: string;
        };
        SendImageMessage: {
            /** @description Your own id of this message (idempotency key), unique in the organization. To retry safely, repeat the same body with the same id. */
            client_message_id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "image";
            /** @description Id of the WhatsApp channel. Recommended. Without it, a message with `to` is sent from the channel of the template that `template_submission_id` identifies, or else from the channel that the customer last wrote to, or else from the default channel, or else from the first channel that the key may use */
            channel_id?: string | null;
            /** @description Id of the conversation. Give either `thread_id` or `to` */
            thread_id?: string | null;
            /** @description The customer, by phone number or by WhatsApp's id. Give either `thread_id` or `to` */
            to?: components["schemas"]["DestinationTo"] | null;
            /** @description The message that this one quotes. WhatsApp shows no quote with a template. Refused with type reaction, which names its message itself */
            reply_to?: components["schemas"]["ReplyTo"] | null;
            text?: components["schemas"]["CaptionObject"] | null;
            media: components["schemas"]["MediaObject"];
        };
        /** @description The caption of an image, a video or a document */
        CaptionObject: {
            /** @description Caption below the file */
            body: string;
        };
        SendAudioMessage: {
            /** @description Your own id of this message (idempotency key), unique in the organization. To retry safely, repeat the same body with the same id. */
            client_message_id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "audio";
            /** @description Id of the WhatsApp channel. Recommended. Without it, a message with `to` is sent from the channel of the template that `template_submission_id` identifies, or else from the channel that the customer last wrote to, or else from the default channel, or else from the first channel that the key may use */
            channel_id?: string | null;
            /** @description Id of the conversation. Give either `thread_id` or `to` */
            thread_id?: string | null;
            /** @description The customer, by phone number or by WhatsApp's id. Give either `thread_id` or `to` */
            to?: components["schemas"]["DestinationTo"] | null;
            /** @description The message that this one quotes. WhatsApp shows no quote with a template. Refused with type reaction, which names its message itself */
            reply_to?: components["schemas"]["ReplyTo"] | null;
            media: components["schemas"]["MediaObject"];
        };
        SendVideoMessage: {
            /** @description Your own id of this message (idempotency key), unique in the organization. To retry safely, repeat the same body with the same id. */
            client_message_id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "video";
            /** @description Id of the WhatsApp channel. Recommended. Without it, a message with `to` is sent from the channel of the template that `template_submission_id` identifies, or else from the channel that the customer last wrote to, or else from the default channel, or else from the first channel that the key may use */
            channel_id?: string | null;
            /** @description Id of the conversation. Give either `thread_id` or `to` */
            thread_id?: string | null;
            /** @description The customer, by phone number or by WhatsApp's id. Give either `thread_id` or `to` */
            to?: components["schemas"]["DestinationTo"] | null;
            /** @description The message that this one quotes. WhatsApp shows no quote with a template. Refused with type reaction, which names its message itself */
            reply_to?: components["schemas"]["ReplyTo"] | null;
            text?: components["schemas"]["CaptionObject"] | null;
            media: components["schemas"]["MediaObject"];
        };
        SendDocumentMessage: {
            /** @description Your own id of this message (idempotency key), unique in the organization. To retry safely, repeat the same body with the same id. */
            client_message_id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "document";
            /** @description Id of the WhatsApp channel. Recommended. Without it, a message with `to` is sent from the channel of the template that `template_submission_id` identifies, or else from the channel that the customer last wrote to, or else from the default channel, or else from the first channel that the key may use */
            channel_id?: string | null;
            /** @description Id of the conversation. Give either `thread_id` or `to` */
            thread_id?: string | null;
            /** @description The customer, by phone number or by WhatsApp's id. Give either `thread_id` or `to` */
            to?: components["schemas"]["DestinationTo"] | null;
            /** @description The message that this one quotes. WhatsApp shows no quote with a template. Refused with type reaction, which names its message itself */
            reply_to?: components["schemas"]["ReplyTo"] | null;
            text?: components["schemas"]["CaptionObject"] | null;
            media: components["schemas"]["MediaObject"];
        };
        SendStickerMessage: {
            /** @description Your own id of this message (idempotency key), unique in the organization. To retry safely, repeat the same body with the same id. */
            client_message_id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "sticker";
            /** @description Id of the WhatsApp channel. Recommended. Without it, a message with `to` is sent from the channel of the template that `template_submission_id` identifies, or else from the channel that the customer last wrote to, or else from the default channel, or else from the first channel that the key may use */
            channel_id?: string | null;
            /** @description Id of the conversation. Give either `thread_id` or `to` */
            thread_id?: string | null;
            /** @description The customer, by phone number or by WhatsApp's id. Give either `thread_id` or `to` */
            to?: components["schemas"]["DestinationTo"] | null;
            /** @description The message that this one quotes. WhatsApp shows no quote with a template. Refused with type reaction, which names its message itself */
            reply_to?: components["schemas"]["ReplyTo"] | null;
            media: components["schemas"]["MediaObject"];
        };
        SendTemplateMessage: {
            /** @description Your own id of this message (idempotency key), unique in the organization. To retry safely, repeat the same body with the same id. */
            client_message_id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "template";
            /** @description Id of the WhatsApp channel. Recommended. Without it, a message with `to` is sent from the channel of the template that `template_submission_id` identifies, or else from the channel that the customer last wrote to, or else from the default channel, or else from the first channel that the key may use */
            channel_id?: string | null;
            /** @description Id of the conversation. Give either `thread_id` or `to` */
            thread_id?: string | null;
            /** @description The customer, by phone number or by WhatsApp's id. Give either `thread_id` or `to` */
            to?: components["schemas"]["DestinationTo"] | null;
            /** @description The message that this one quotes. WhatsApp shows no quote with a template. Refused with type reaction, which names its message itself */
            reply_to?: components["schemas"]["ReplyTo"] | null;
            template: components["schemas"]["TemplateObject"];
        };
        SendInteractiveMessage: {
            /** @description Your own id of this message (idempotency key), unique in the organization. To retry safely, repeat the same body with the same id. */
            client_message_id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "interactive";
            /** @description Id of the WhatsApp channel. Recommended. Without it, a message with `to` is sent from the channel of the template that `template_submission_id` identifies, or else from the channel that the customer last wrote to, or else from the default channel, or else from the first channel that the key may use */
            channel_id?: string | null;
            /** @description Id of the conversation. Give either `thread_id` or `to` */
            thread_id?: string | null;
            /** @description The customer, by phone number or by WhatsApp's id. Give either `thread_id` or `to` */
            to?: components["schemas"]["DestinationTo"] | null;
            /** @description The message that this one quotes. WhatsApp shows no quote with a template. Refused with type reaction, which names its message itself */
            reply_to?: components["schemas"]["ReplyTo"] | null;
            interactive: components["schemas"]["InteractiveObject"];
        };
        SendReactionMessage: {
            /** @description Your own id of this message (idempotency key), unique in the organization. To retry safely, repeat the same body with the same id. */
            client_message_id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "reaction";
            /** @description Id of the WhatsApp channel. Recommended. Without it, a message with `to` is sent from the channel of the template that `template_submission_id` identifies, or else from the channel that the customer last wrote to, or else from the default channel, or else from the first channel that the key may use */
            channel_id?: string | null;
            /** @description Id of the conversation. Give either `thread_id` or `to` */
            thread_id?: string | null;
            /** @description The customer, by phone number or by WhatsApp's id. Give either `thread_id` or `to` */
            to?: components["schemas"]["DestinationTo"] | null;
            reaction: components["schemas"]["ReactionObject"];
        };
        SendLocationMessage: {
            /** @description Your own id of this message (idempotency key), unique in the organization. To retry safely, repeat the same body with the same id. */
            client_message_id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "location";
            /** @description Id of the WhatsApp channel. Recommended. Without it, a message with `to` is sent from the channel of the template that `template_submission_id` identifies, or else from the channel that the customer last wrote to, or else from the default channel, or else from the first channel that the key may use */
            channel_id?: string | null;
            /** @description Id of the conversation. Give either `thread_id` or `to` */
            thread_id?: string | null;
            /** @description The customer, by phone number or by WhatsApp's id. Give either `thread_id` or `to` */
            to?: components["schemas"]["DestinationTo"] | null;
            /** @description The message that this one quotes. WhatsApp shows no quote with a template. Refused with type reaction, which names its message itself */
            reply_to?: components["schemas"]["ReplyTo"] | null;
            location: components["schemas"]["LocationObject"];
        };
        SendContactsMessage: {
            /** @description Your own id of this message (idempotency key), unique in the organization. To retry safely, repeat the same body with the same id. */
            client_message_id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "contacts";
            /** @description Id of the WhatsApp channel. Recommended. Without it, a message with `to` is sent from the channel of the template that `template_submission_id` identifies, or else from the channel that the customer last wrote to, or else from the default channel, or else from the first channel that the key may use */
            channel_id?: string | null;
            /** @description Id of the conversation. Give either `thread_id` or `to` */
            thread_id?: string | null;
            /** @description The customer, by phone number or by WhatsApp's id. Give either `thread_id` or `to` */
            to?: components["schemas"]["DestinationTo"] | null;
            /** @description The message that this one quotes. WhatsApp shows no quote with a template. Refused with type reaction, which names its message itself */
            reply_to?: components["schemas"]["ReplyTo"] | null;
            /** @description Contacts to share */
            contacts: components["schemas"]["ContactCard"][];
        };
        /** @description `type` determines the other fields. Give either `thread_id` or `to` */
        SendMessageRequest: components["schemas"]["SendTextMessage"] | components["schemas"]["SendImageMessage"] | components["schemas"]["SendAudioMessage"] | components["schemas"]["SendVideoMessage"] | components["schemas"]["SendDocumentMessage"] | components["schemas"]["SendStickerMessage"] | components["schemas"]["SendTemplateMessage"] | components["schemas"]["SendInteractiveMessage"] | components["schemas"]["SendReactionMessage"] | components["schemas"]["SendLocationMessage"] | components["schemas"]["SendContactsMessage"];
        CreateWebhookRequest: {
            /** @description Public https URL, without credentials, to which events are posted. If null, nothing is posted and events can be fetched for 7 days */
            url: string | null;
            /** @description Event types to receive. All types if absent */
            events?: components["schemas"]["WebhookEventType"][] | null;
            /** @description What the endpoint is for. Shown to people only */
            description?: string | null;
            /** @description Only events of these channels. Null means all channels, including future ones. With a key that is limited to channels, null means all channels of the key */
            channel_ids?: string[] | null;
            /** @description True if absent */
            enabled?: (true | false) | null;
            /** @description Only if `url` is null: also makes earlier events available, created at this time or later. These are events of the last 7 days that another endpoint received or is waiting for: at most 10,000, taken from the latest 100,000 events of the organization. The response takes a second or two */
            since?: string | null;
        };
        UpdateContactRequest: {
            /** @description The name, 1 to 100 characters. Null removes it: the next message then gives the profile name */
            name?: string | null;
            /**
             * @description True: the customer wants no marketing messages. A later decision of the customer replaces it
             * @enum {boolean}
             */
            marketing_opt_out?: true | false;
        };
        MarkMessageReadRequest: {
            /** @description True also shows the customer that an answer is being written, for 25 seconds or until a message arrives. False if absent */
            typing?: (true | false) | null;
        };
        UpdateWebhookRequest: {
            /** @description A new URL. You can't remove the URL of an endpoint, or add one to an endpoint that has none */
            url?: string | null;
            events?: components["schemas"]["WebhookEventType"][];
            /** @description What the endpoint is for. Shown to people only */
            description?: string;
            /** @description Only events of these channels. Null means all channels, including future ones. With a key that is limited to channels, null means all channels of the key */
            channel_ids?: string[] | null;
            /**
             * @description False disables the endpoint: its new and waiting events are kept as skipped and can be replayed. If it has no URL, events can still be fetched. True, for a disabled endpoint, enables it and resets its failure history
             * @enum {boolean}
             */
            enabled?: true | false;
        };
        ReplayRequest: {
            /**
             * Format: date-time
             * @description Only events created at this time or later
             */
            since: string;
            /** @description Only events created before this time. Now if absent */
            until?: string | null;
            /**
             * @description `failed`: deliveries that failed. `skipped`: deliveries of events that were created, or were waiting, while the endpoint was disabled. `all`: both, and the delivered ones. Deliveries that are in the queue stay there. Tests are not replayed.
             * @enum {string}
             */
            only: "failed" | "skipped" | "all";
            /** @description If true, deliveries are only counted */
            dry_run?: (true | false) | null;
            /** @description Your own id of this replay. A repeated request with the same id gets the same response and delivers nothing again. Required with `all`, except in a dry run */
            replay_id?: string | null;
        };
        /** @description The body of every refused request */
        ErrorEnvelope: {
            error: {
                /** @description Stable error code. More codes can be added: treat an unknown one by its HTTP status */
                code: "api_key_expired" | "api_key_required" | "api_key_revoked" | "channel_forbidden" | "client_message_id_required" | "contact_not_found" | "idempotency_key_reused" | "identity_conflict" | "internal_error" | "invalid_api_key" | "invalid_media" | "invalid_whatsapp_number" | "media_gone" | "media_not_found" | "media_url_forbidden" | "message_not_found" | "message_not_inbound" | "message_not_markable" | "method_not_allowed" | "missing_scope" | "not_found" | "organization_not_allowed" | "outside_customer_window" | "payload_too_large" | "rate_limited" | "recipient_opted_out" | "recipient_unreachable" | "request_timeout" | "template_not_approved" | "template_variables_mismatch" | "thread_not_found" | "unavailable" | "unsupported_media_type" | "upload_quota_exceeded" | "validation_failed" | "webhook_delivery_not_found" | "webhook_event_erased" | "webhook_limit_reached" | "webhook_not_delivering" | "webhook_not_found" | "webhook_test_limited" | "webhook_test_running" | "webhook_url_forbidden" | (string & Record<never, never>);
                /** @description Explanation for people. It may change */
                message: string;
                /** @description The invalid field */
                field?: string;
                resend: components["schemas"]["ResendAdvice"];
                /**
                 * Format: date-time
                 * @description With `later`: from when sending again can succeed
                 */
                resend_after?: string;
                /**
                 * Format: uri
                 * @description Link to the documentation of the code
                 */
                doc_url?: string;
            };
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description Id of this request. The log contains the ids of all 5xx responses and, with `LOG_LEVEL=debug`, of all other responses */
        "X-Request-Id": string;
        /** @description No cache may store a response */
        "Cache-Control": "no-store";
        /** @description `attachment`, with the name of the file */
        "Content-Disposition": string;
        /** @description Bytes. Missing where the file is sent in chunks */
        "Content-Length": number;
        /** @description `Bearer` */
        "WWW-Authenticate": string;
        /** @description Seconds after which a request can succeed again */
        "Retry-After": number;
        /** @description Units per 60 seconds */
        "X-RateLimit-Limit": number;
        /** @description Units left */
        "X-RateLimit-Remaining": number;
        /** @description Unix time at which the next unit becomes available */
        "X-RateLimit-Reset": number;
    };
    pathItems: never;
}
export interface operations {
    ping: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    listChannels: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    listContacts: {
        parameters: {
            query?: {
                to?: string;
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getContact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the contact */
                contact_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    updateContact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the contact */
                contact_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    listMessages: {
        parameters: {
            query?: {
                client_message_id?: string;
                direction?: "outbound" | "inbound" | "any";
                state?: components["schemas"]["DeliveryState"] | components["schemas"]["DeliveryState"][];
                channel_id?: string;
                thread_id?: string;
                contact_id?: string;
                to?: string;
                since?: string;
                until?: string;
                updated_since?: string;
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    sendMessage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getMessage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `message_id` of the message */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    markMessageRead: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a customer's message */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getMessageMedia: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `message_id` of a customer's message with a file */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    listTemplates: {
        parameters: {
            query?: {
                channel_id?: string;
                state?: "pending" | "approved" | "rejected" | "paused" | "disabled";
                name?: string;
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    listThreads: {
        parameters: {
            query?: {
                contact_id?: string;
                to?: string;
                channel_id?: string;
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getThread: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the conversation */
                thread_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    createUpload: {
        parameters: {
            query?: never;
            header?: {
                /** @description Name of the file. Percent-encode characters that aren't ASCII */
                "X-Filename"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    listWebhooks: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the endpoint */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the endpoint */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the endpoint */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the endpoint */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the endpoint */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    listDeliveries: {
        parameters: {
            query?: {
                state?: "pending" | "delivered" | "failed" | "skipped" | "available";
                type?: "message.sent" | "message.delivered" | "message.read" | "message.failed" | "message.received" | "contact.opted_out" | "contact.opted_in" | "contact.changed" | "webhook.test";
                message_id?: string;
                contact_id?: string;
                since?: string;
                until?: string;
                order?: "newest" | "oldest";
                include?: "payload";
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Id of the endpoint */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    redeliver: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the endpoint */
                id: string;
                /** @description The `id` of the delivery. The id of the event, which is the `webhook-id`, works too */
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    replay: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the endpoint */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
}
