/**
 * Content that a customer sent, independent of the upstream's format. `type` determines which optional field contains
 * it.
 */
export interface InboundContent {
  /** The upstream's type: `text`, `image`, `location`, … and any that it adds later. */
  readonly type: string;
  readonly text?: { readonly body: string };
  readonly media?: InboundMedia;
  readonly location?: InboundLocation;
  /** Contact cards. */
  readonly contacts?: readonly InboundContactCard[];
  /** The button or list row that was chosen. */
  readonly reply?: { readonly id?: string; readonly title: string; readonly description?: string };
  /** A submitted form. `response` is JSON in the form's own structure. */
  readonly form?: { readonly name?: string; readonly response: string };
  readonly reaction?: { readonly upstream_id: string; readonly emoji: string | null };
  readonly order?: InboundOrder;
  /** WhatsApp's information about the customer, such as a new number. */
  readonly event?: { readonly kind: string; readonly text?: string };
  /** The reason why the upstream couldn't pass the message on. */
  readonly unsupported?: { readonly kind?: string; readonly reason?: string };
  /** The earlier message that this one changes or withdraws. */
  readonly edits?: { readonly upstream_id: string; readonly content?: InboundContent };
  readonly revokes?: { readonly upstream_id: string };
  /** Content of a type that Waypost doesn't know. */
  readonly detail?: unknown;

  /** The message that this one replies to. */
  readonly reply_to?: { readonly upstream_id: string };
  readonly forwarded?: boolean;
  /** The product that the customer asks about. */
  readonly product?: { readonly catalog_id?: string; readonly product_id?: string };
  /** The advertisement that the customer came from. */
  readonly referral?: Readonly<Record<string, string>>;
}

interface InboundMedia {
  /** The upstream's id of the file. The file can be fetched for seven days. */
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
