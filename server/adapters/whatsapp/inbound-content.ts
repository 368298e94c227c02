/** What a customer sent, freed of the upstream's shape; one of the optional fields says it, by `type`. */
export interface InboundContent {
  /** The upstream's word for the kind: `text`, `image`, `location`, … and whatever it adds one day. */
  readonly type: string;
  readonly text?: { readonly body: string };
  readonly media?: InboundMedia;
  readonly location?: InboundLocation;
  /** Contact cards. */
  readonly contacts?: readonly InboundContactCard[];
  /** The button or list row that was chosen. */
  readonly reply?: { readonly id?: string; readonly title: string; readonly description?: string };
  /** A form that was filled in; `response` is JSON as the form made it. */
  readonly form?: { readonly name?: string; readonly response: string };
  readonly reaction?: { readonly upstream_id: string; readonly emoji: string | null };
  readonly order?: InboundOrder;
  /** What WhatsApp tells of the customer, such as a new number. */
  readonly event?: { readonly kind: string; readonly text?: string };
  /** Why the upstream couldn't pass it on. */
  readonly unsupported?: { readonly kind?: string; readonly reason?: string };
  /** The earlier message that this one changes or takes back. */
  readonly edits?: { readonly upstream_id: string; readonly content?: InboundContent };
  readonly revokes?: { readonly upstream_id: string };
  /** What came under a type that Waypost doesn't know. */
  readonly detail?: unknown;

  /** The message that it answers. */
  readonly reply_to?: { readonly upstream_id: string };
  readonly forwarded?: boolean;
  /** The product that the customer asks about. */
  readonly product?: { readonly catalog_id?: string; readonly product_id?: string };
  /** The advertisement that led here. */
  readonly referral?: Readonly<Record<string, string>>;
}

interface InboundMedia {
  /** The upstream's id of the file: it can be fetched for seven days. */
  readonly id: string;
  readonly mime_type?: string;
  readonly sha256?: string;
  readonly filename?: string;
  readonly caption?: string;
  readonly voice?: boolean;
  readonly animated?: boolean;
}

interface InboundLocation {
  readonly latitude: number;
  readonly longitude: number;
  readonly name?: string;
  readonly address?: string;
  readonly url?: string;
}

interface InboundContactCard {
  readonly name?: string;
  readonly company?: string;
  readonly birthday?: string;
  readonly phones?: readonly string[];
  readonly emails?: readonly string[];
  readonly urls?: readonly string[];
  readonly addresses?: readonly string[];
}

interface InboundOrder {
  readonly catalog_id?: string;
  readonly text?: string;
  readonly items: readonly {
    readonly product_id?: string;
    readonly quantity?: number;
    readonly price?: number;
    readonly currency?: string;
  }[];
}
