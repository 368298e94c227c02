interface Framed {
  readonly body: string;
  readonly header?: string | null | undefined;
  readonly footer?: string | null | undefined;
}

interface ListRow {
  readonly id: string;
  readonly title: string;
  readonly description?: string | null | undefined;
}

interface Kinds {
  buttons: Framed & { readonly buttons: readonly { readonly id: string; readonly title: string }[] };
  list: Framed & {
    readonly button: string;
    readonly sections: readonly {
      readonly title?: string | null | undefined;
      readonly rows: readonly ListRow[];
    }[];
  };
  cta_url: Framed & { readonly text: string; readonly url: string };
  location_request: Framed;
}

/** A message that the customer answers by a touch, independent of the Cloud API's format. */
export type Interactive<K extends keyof Kinds = keyof Kinds> = {
  [Kind in K]: { readonly type: Kind } & Kinds[Kind];
}[K];

/** The Cloud API's name of each kind, and its `action`. */
const FORMATS: {
  readonly [K in keyof Kinds]: { readonly type: string; readonly action: (said: Kinds[K]) => unknown };
} = {
  buttons: {
    type: "button",
    action: ({ buttons }) => ({
      buttons: buttons.map(({ id, title }) => ({ type: "reply", reply: { id, title } })),
    }),
  },
  list: {
    type: "list",
    action: ({ button, sections }) => ({
      button,
      sections: sections.map(({ title, rows }) => ({
        ...(title ? { title } : {}),
        rows: rows.map((row) => ({
          id: row.id,
          title: row.title,
          ...(row.description ? { description: row.description } : {}),
        })),
      })),
    }),
  },
  cta_url: {
    type: "cta_url",
    action: ({ text, url }) => ({ name: "cta_url", parameters: { display_text: text, url } }),
  },
  location_request: { type: "location_request_message", action: () => ({ name: "send_location" }) },
};

/**
 * Builds the `interactive` object of the Cloud API
 * (https://developers.facebook.com/docs/whatsapp/cloud-api/messages/interactive-reply-buttons-messages and its
 * neighbours).
 */
export function interactiveBody<K extends keyof Kinds>(
  said: Interactive<K>,
): Readonly<Record<string, unknown>> {
  const { header, body, footer }: Framed = said;
  const { type, action } = FORMATS[said.type];
  return {
    type,
    ...(header ? { header: { type: "text", text: header } } : {}),
    body: { text: body },
    ...(footer ? { footer: { text: footer } } : {}),
    action: action(said),
  };
}
