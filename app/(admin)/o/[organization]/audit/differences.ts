/** One line of an act's detail: a change, or a fact if there is no `before`. */
export interface Difference {
  /** The field's name in plain words. */
  readonly name: string;
  /** Null for a fact. */
  readonly before: string | null;
  readonly after: string;
}

/** Fields whose name in the code differs from the word that people use. */
const FIELD_WORDS: Readonly<Record<string, string>> = {
  acceptRisk: "Duplicate risk accepted",
  alreadyInUse: "Already in use before",
  appSecret: "App secret",
  assigneeId: "Assigned to",
  channelId: "Channel",
  channelIds: "Channels",
  contactIds: "Contacts",
  days: "Days",
  deliveryId: "Delivery",
  disabledFor: "Previous reason",
  displayPhoneNumber: "Number",
  email: "Email address",
  endsAt: "Ends",
  endedPause: "Ended the pause",
  errorCode: "Error code",
  expiresAt: "Expires",
  isDefault: "Default",
  lastFour: "Secret ends with",
  optInWords: "Opt-in words",
  optOutWords: "Opt-out words",
  overlapSeconds: "Overlap in seconds",
  pauseReason: "Pause reason",
  only: "Which",
  phoneNumberId: "Phone number id",
  readLimit: "Other requests per minute",
  resendOf: "Message sent again",
  sendLimit: "New messages per minute",
  shownPrefix: "Secret starts with",
  url: "URL",
  wabaId: "WhatsApp Business account",
};

/** The meaning of an empty field, if it isn't "nothing". */
const EMPTY_WORDS: Readonly<Record<string, string>> = {
  channelIds: "all",
  expiresAt: "never",
};

/** Acts whose detail is a single change without a name of its own. */
const WHOLE_WORDS: Readonly<Record<string, string>> = {
  "organization.renamed": "Name",
  "organization.retention_set": "Message retention (days)",
  "organization.upload_quota_set": "Upload quota (bytes)",
};

type Fields = Readonly<Record<string, unknown>>;

/**
 * Returns what an act changed, line by line. Details contain changes as `{ from, to }`, for the whole or for a field,
 * or as two fields `<name>Before` and `<name>After`. Everything else in them is a fact. Details recorded by another
 * version of Waypost are shown as far as they have this form.
 */
export function differencesOf(action: string, detail: Fields): readonly Difference[] {
  const { from, to, ...rest } = detail;
  const isChange = "from" in detail && "to" in detail;
  return [...(isChange ? wholeChange(action, from, to) : []), ...fieldsOf(isChange ? rest : detail)];
}

function wholeChange(action: string, from: unknown, to: unknown): Difference[] {
  if (!isFields(from) || !isFields(to)) {
    return [{ name: WHOLE_WORDS[action] ?? "Value", before: spelled(from), after: spelled(to) }];
  }
  const names = [...new Set([...Object.keys(from), ...Object.keys(to)])];
  return names.map((name) => ({
    name: wordsOf(name),
    before: spelledField(name, from[name]),
    after: spelledField(name, to[name]),
  }));
}

function fieldsOf(fields: Fields): Difference[] {
  return Object.entries(fields).flatMap(([name, value]): Difference[] => {
    const field = /^(.+)After$/.exec(name)?.[1];
    if (field !== undefined && `${field}Before` in fields) {
      const before = spelled(fields[`${field}Before`]);
      const after = spelled(value);
      return before === after ? [] : [{ name: wordsOf(field), before, after }];
    }
    if (name.endsWith("Before") && `${name.slice(0, -"Before".length)}After` in fields) return [];
    if (isFields(value) && "from" in value && "to" in value) {
      return [{ name: wordsOf(name), before: spelled(value["from"]), after: spelled(value["to"]) }];
    }
    return [{ name: wordsOf(name), before: null, after: spelledField(name, value) }];
  });
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns `Phone number id` for `phoneNumberId`, for example. */
function wordsOf(name: string): string {
  const known = Object.hasOwn(FIELD_WORDS, name) ? FIELD_WORDS[name] : undefined;
  if (known !== undefined) return known;
  const words = name.replaceAll("_", " ").replace(/([a-z0-9])([A-Z])/g, "$1 $2");
  return words.slice(0, 1).toUpperCase() + words.slice(1).toLowerCase();
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
const timeFormat = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short" });

function spelledField(name: string, value: unknown): string {
  const empty = Object.hasOwn(EMPTY_WORDS, name) ? EMPTY_WORDS[name] : undefined;
  return value === null && empty !== undefined ? empty : spelled(value);
}

function spelled(value: unknown): string {
  if (value === null || value === undefined || value === "") return "none";
  if (value === true) return "yes";
  if (value === false) return "no";
  if (typeof value === "string") return TIME.test(value) ? timeFormat.format(new Date(value)) : value;
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map(spelled).join(", ");
  if (isFields(value)) {
    return Object.entries(value)
      .map(([name, member]) => `${wordsOf(name).toLowerCase()}: ${spelled(member)}`)
      .join("; ");
  }
  return typeof value === "number" ? String(value) : JSON.stringify(value);
}
