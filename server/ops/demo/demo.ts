export interface Contact {
  readonly handle: string;
  readonly contact_id: string;
}

export interface ContactWithThread extends Contact {
  readonly thread_id: string;
}

type Nothing = Readonly<Record<string, never>>;

export interface DemoTemplate {
  readonly template_submission_id: string;
  readonly name: string;
  readonly language: string;
  /** Values to send it with. */
  readonly variables: Readonly<Record<string, string>>;
}

/** The content of a demo organization, as printed by `waypost demo --json`: all data that a black-box test needs. */
export interface Demo {
  readonly base_url: string;
  /** Empty if no simulator runs. */
  readonly simulator_url: string;
  readonly organization_id: string;
  readonly sign_in: { readonly email: string; readonly password: string };
  /** Has the default limits and all scopes: the default ones and `webhooks:manage`. */
  readonly api_key: { readonly id: string; readonly secret: string };
  readonly channels: { readonly default: string; readonly second: string };
  /** Meta's ids of those two numbers, as used by the simulator. */
  readonly phone_number_ids: { readonly default: string; readonly second: string };
  readonly contacts: {
    /** Wrote just now, to the default channel only. */
    readonly open_window: ContactWithThread;
    /** Wrote three days ago. */
    readonly closed_window: ContactWithThread;
    readonly no_conversation: Contact;
    /** One written form of a number whose two forms belong to two contacts. */
    readonly conflicting: { readonly handle: string };
  };
  readonly threads: {
    readonly closed_and_assigned: { readonly thread_id: string; readonly assignee_id: string };
  };
  /** Each is empty if no simulator runs; they are created when one starts. */
  readonly templates: {
    readonly approved: DemoTemplate | Nothing;
    readonly pending: DemoTemplate | Nothing;
    readonly rejected: DemoTemplate | Nothing;
    /** With a picture, a button with a URL and a button for a reply. */
    readonly approved_with_buttons: DemoTemplate | Nothing;
    /** With two cards. */
    readonly approved_carousel: DemoTemplate | Nothing;
    /** On the second channel. The others are on the default channel. */
    readonly approved_on_second: DemoTemplate | Nothing;
  };
  /** A PNG that can be sent. */
  readonly uploads: { readonly image: { readonly storage_key: string } };
  readonly internal_note_id: string;
}

/** The templates of a demo that was created without a simulator. */
export const NO_TEMPLATES: Demo["templates"] = {
  approved: {},
  pending: {},
  rejected: {},
  approved_with_buttons: {},
  approved_carousel: {},
  approved_on_second: {},
};
