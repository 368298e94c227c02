import type { InboundContent } from "@/server/adapters/whatsapp/inbound-content";

export interface InboundExample {
  readonly type: string;
  /** Without id, sender and time. */
  readonly message: object;
  readonly content: Omit<InboundContent, "type">;
  readonly opensWindow: boolean;
}

const media = {
  mime_type: "image/jpeg",
  sha256: "SfInY0gGKTsJlUWbwxC1k+FAD0FZHvzwfpvO0zX0GUI=",
  id: "1003383421387256",
};

/**
 * The payloads in Meta's webhook references, one per type
 * (https://developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/reference/messages).
 */
export const INBOUND_EXAMPLES: readonly InboundExample[] = [
  {
    type: "text",
    message: { text: { body: "Does it come in another color?" } },
    content: { text: { body: "Does it come in another color?" } },
    opensWindow: true,
  },
  {
    type: "text",
    message: {
      context: {
        from: "15550783881",
        id: "wamid.HBgLMTQxMjU1NTA4MjkVAgASGBQzQUNCNjk5RDUwNUZGMUZEM0VBRAA=",
        referred_product: { catalog_id: "194836987003835", product_retailer_id: "di9ozbzfi4" },
      },
      text: { body: "Is this still available?" },
    },
    content: {
      text: { body: "Is this still available?" },
      reply_to: { upstream_id: "wamid.HBgLMTQxMjU1NTA4MjkVAgASGBQzQUNCNjk5RDUwNUZGMUZEM0VBRAA=" },
      product: { catalog_id: "194836987003835", product_id: "di9ozbzfi4" },
    },
    opensWindow: true,
  },
  {
    type: "text",
    message: {
      referral: {
        source_url: "https://fb.me/3cr4Wqqkv",
        source_id: "120226305854810726",
        source_type: "ad",
        body: "Summer succulents are here!",
        headline: "Chat with us",
        media_type: "image",
        image_url: "https://scontent.xx.fbcdn.net/v/t45.1",
        ctwa_clid:
          "Aff-n8ZTODiE79d22KtAwQKj9e_mIEOOj27vDVwFjN80dp4_0NiNhEgpGo0AHemvuSoifXaytfTzcchptiErTKCqTrJ5nW1h7IHYeYymGb5K5J5iTROpBhWAGaIAeUzHL50",
        welcome_message: { text: "Hi there! Let us know how we can help!" },
      },
      text: { body: "Hello! Can I get more info on this?" },
    },
    content: {
      text: { body: "Hello! Can I get more info on this?" },
      referral: {
        source_url: "https://fb.me/3cr4Wqqkv",
        source_id: "120226305854810726",
        source_type: "ad",
        body: "Summer succulents are here!",
        headline: "Chat with us",
        click_id:
          "Aff-n8ZTODiE79d22KtAwQKj9e_mIEOOj27vDVwFjN80dp4_0NiNhEgpGo0AHemvuSoifXaytfTzcchptiErTKCqTrJ5nW1h7IHYeYymGb5K5J5iTROpBhWAGaIAeUzHL50",
      },
    },
    opensWindow: true,
  },
  {
    type: "image",
    // The URL is valid for five minutes, so it isn't stored.
    message: {
      image: { ...media, caption: "Taj Mahal", url: "https://lookaside.fbsbx.com/whatsapp_business/1" },
      context: { forwarded: true },
    },
    content: { media: { ...media, caption: "Taj Mahal" }, forwarded: true },
    opensWindow: true,
  },
  {
    type: "image",
    message: {
      image: media,
      context: { frequently_forwarded: true },
      referral: {
        source_url: "https://fb.me/3cr4Wqqkv",
        source_id: "120226305854810726",
        source_type: "post",
      },
    },
    content: {
      media,
      forwarded: true,
      referral: {
        source_url: "https://fb.me/3cr4Wqqkv",
        source_id: "120226305854810726",
        source_type: "post",
      },
    },
    opensWindow: true,
  },
  {
    type: "audio",
    message: { audio: { ...media, mime_type: "audio/mpeg" } },
    content: { media: { ...media, mime_type: "audio/mpeg" } },
    opensWindow: true,
  },
  {
    type: "audio",
    message: { audio: { ...media, mime_type: "audio/ogg; codecs=opus", voice: true } },
    content: { media: { ...media, mime_type: "audio/ogg; codecs=opus", voice: true } },
    opensWindow: true,
  },
  {
    type: "video",
    message: { video: { ...media, mime_type: "video/mp4", caption: "Unboxing" } },
    content: { media: { ...media, mime_type: "video/mp4", caption: "Unboxing" } },
    opensWindow: true,
  },
  {
    type: "document",
    message: { document: { ...media, mime_type: "application/pdf", filename: "invoice.pdf" } },
    content: { media: { ...media, mime_type: "application/pdf", filename: "invoice.pdf" } },
    opensWindow: true,
  },
  // Shown with its direction characters, this program looks like `invoiceexe.pdf`.
  {
    type: "document",
    message: { document: { ...media, mime_type: "application/pdf", filename: "../invoice\u202efdp.exe" } },
    content: { media: { ...media, mime_type: "application/pdf", filename: "invoicefdp.exe" } },
    opensWindow: true,
  },
  {
    type: "sticker",
    message: { sticker: { ...media, mime_type: "image/webp", animated: false } },
    content: { media: { ...media, mime_type: "image/webp", animated: false } },
    opensWindow: true,
  },
  {
    type: "location",
    message: {
      location: {
        address: "101 Forest Ave, Palo Alto, CA 94301",
        latitude: 37.4421,
        longitude: -122.1615,
        name: "Philz Coffee",
        url: "https://philzcoffee.com/",
      },
    },
    content: {
      location: {
        address: "101 Forest Ave, Palo Alto, CA 94301",
        latitude: 37.4421,
        longitude: -122.1615,
        name: "Philz Coffee",
        url: "https://philzcoffee.com/",
      },
    },
    opensWindow: true,
  },
  {
    type: "contacts",
    message: {
      contacts: [
        {
          name: { first_name: "Barbara", last_name: "Johnson", formatted_name: "Barbara J. Johnson" },
          org: { company: "Social Tsunami" },
          phones: [{ phone: "+1 (415) 555-0829", wa_id: "14125550829", type: "MOBILE" }],
          addresses: [{ street: "1 Hacker Way", city: "Menlo Park", state: "CA", zip: "94025" }],
        },
      ],
    },
    content: {
      contacts: [
        {
          name: "Barbara J. Johnson",
          company: "Social Tsunami",
          phones: ["+1 (415) 555-0829"],
          addresses: ["1 Hacker Way, 94025, Menlo Park, CA"],
        },
      ],
    },
    opensWindow: true,
  },
  {
    // The customer shares their own number, as a button asked them to.
    type: "contacts",
    message: {
      origin: "contact_request",
      contacts: [{ vcard: "BEGIN:VCARD\nEND:VCARD", phones: [{ phone: "+16505551234" }] }],
    },
    content: { contacts: [{ phones: ["+16505551234"] }] },
    opensWindow: true,
  },
  {
    type: "button",
    message: {
      context: { from: "15550783881", id: "wamid.question" },
      button: { payload: "Unsubscribe", text: "Unsubscribe" },
    },
    content: {
      reply: { id: "Unsubscribe", title: "Unsubscribe" },
      reply_to: { upstream_id: "wamid.question" },
    },
    opensWindow: true,
  },
  {
    type: "interactive",
    message: {
      interactive: {
        type: "list_reply",
        list_reply: {
          id: "priority_express",
          title: "Priority Mail Express",
          description: "Next Day to 2 Days",
        },
      },
    },
    content: {
      reply: { id: "priority_express", title: "Priority Mail Express", description: "Next Day to 2 Days" },
    },
    opensWindow: true,
  },
  {
    type: "interactive",
    message: {
      interactive: { type: "button_reply", button_reply: { id: "cancel-button", title: "Cancel" } },
    },
    content: { reply: { id: "cancel-button", title: "Cancel" } },
    opensWindow: true,
  },
  {
    type: "interactive",
    message: {
      interactive: {
        type: "nfm_reply",
        nfm_reply: { name: "flow", body: "Sent", response_json: '{"flow_token":"1","date":"2026-01-01"}' },
      },
    },
    content: {
      text: { body: "Sent" },
      form: { name: "flow", response: '{"flow_token":"1","date":"2026-01-01"}' },
    },
    opensWindow: true,
  },
  {
    type: "order",
    message: {
      order: {
        catalog_id: "194836987003835",
        text: "Love these!",
        product_items: [
          { product_retailer_id: "di9ozbzfi4", quantity: 2, item_price: 30, currency: "USD" },
          { product_retailer_id: "nqryix03ez", quantity: 1, item_price: 25, currency: "USD" },
        ],
      },
    },
    content: {
      order: {
        catalog_id: "194836987003835",
        text: "Love these!",
        items: [
          { product_id: "di9ozbzfi4", quantity: 2, price: 30, currency: "USD" },
          { product_id: "nqryix03ez", quantity: 1, price: 25, currency: "USD" },
        ],
      },
    },
    opensWindow: true,
  },
  // A type that was introduced after this was written.
  {
    type: "hologram",
    message: { hologram: { id: "1", depth: { meters: 2 } } },
    content: { detail: { id: "1", depth: { meters: 2 } } },
    opensWindow: true,
  },
];
