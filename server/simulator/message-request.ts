import { contentRules, type ContentRule, type MessageType } from "./content-rules";
import { asFields, isLonger, type Fields } from "./fields";
import {
  invalidParameter as invalid,
  missingParameter as missing,
  notOneOf,
  type GraphError,
} from "./graph-errors";

/** The recipient of a message. */
export interface Recipient {
  /** A number in digits, or WhatsApp's id of a person for this business (BSUID). */
  readonly kind: "number" | "user";
  readonly id: string;
}

/** A well-formed send request. */
export interface MessageRequest {
  /** As the caller wrote it. */
  readonly to: string;
  readonly recipient: Recipient;
  readonly type: MessageType;
  /** The object in the field with the type's name. */
  readonly content: Fields;
  /** The text of a text message, the content object of any other type. */
  readonly body: unknown;
  readonly biz_opaque_callback_data: string | null;
  /** The wamid of the message that this one quotes. */
  readonly quotes: string | null;
}

const callbackDataLengthMax = 512;
const recipientTypes = ["individual", "group"];

/** WhatsApp's id of a person: country, a dot, letters and digits. `ENT.` marks an id for a whole group of companies. */
const userIdPattern = /^[A-Z]{2}\.(ENT\.)?[A-Za-z0-9]{1,128}$/;

/** Checks the body of `POST /{phone_number_id}/messages`, in the order of Meta's errors. */
export function parseMessageRequest(value: unknown): MessageRequest | GraphError {
  const fields = asFields(value);
  if (fields === null) return invalid("The request body must be a JSON object.");
  const error = checkEnvelope(fields);
  if (error !== null) return error;
  const type = fields.type ?? "text";
  if (!isMessageType(type)) return notOneOf("type", Object.keys(contentRules), type);
  const content = asFields(fields[type]) ?? decoded(fields[type]);
  if (content === null) return missing(`Parameter '${type}' is mandatory for type '${type}'.`);
  const rule: ContentRule = contentRules[type];
  const problem = rule.check(content, type);
  if (problem !== null) return problem;
  const to = writtenRecipient(fields) ?? "";
  const recipient = readRecipient(fields);
  if ("error" in recipient) return recipient;
  const opaque = fields.biz_opaque_callback_data;
  const biz_opaque_callback_data = typeof opaque === "string" ? opaque : null;
  const quoted = asFields(fields.context)?.message_id;
  const quotes = typeof quoted === "string" ? quoted : null;
  return { to, recipient, type, content, body: rule.body(content), biz_opaque_callback_data, quotes };
}

/** Returns `to`, or else `recipient`, as the caller wrote it. Null if neither is a text. */
export function writtenRecipient({ to, recipient }: Fields): string | null {
  if (typeof to === "string" && to !== "") return to;
  return typeof recipient === "string" && recipient !== "" ? recipient : null;
}

/** `to` is a number and takes priority over `recipient`, which is an id of a person. */
function readRecipient({ to, recipient }: Fields): Recipient | GraphError {
  if (typeof to === "string" && to !== "") {
    const id = to.replace(/[\s()+.-]/g, "");
    if (/^[1-9][0-9]{4,14}$/.test(id)) return { kind: "number", id };
    return { error: "parameter_value_invalid", details: "Parameter 'to' is not a valid phone number." };
  }
  if (typeof recipient === "string" && userIdPattern.test(recipient)) return { kind: "user", id: recipient };
  return { error: "parameter_value_invalid", details: "Parameter 'recipient' is not a valid user id." };
}

/** Returns the error of a body that isn't for WhatsApp. */
export function productError({ messaging_product }: Fields): GraphError | null {
  if (messaging_product === undefined) return invalid("The parameter messaging_product is required.");
  if (messaging_product === "whatsapp") return null;
  return notOneOf("messaging_product", ["whatsapp"], messaging_product);
}

function checkEnvelope(fields: Fields): GraphError | null {
  const { recipient_type, biz_opaque_callback_data } = fields;
  const error = productError(fields);
  if (error !== null) return error;
  if (recipient_type !== undefined && !recipientTypes.some((type) => type === recipient_type)) {
    return notOneOf("recipient_type", recipientTypes, recipient_type);
  }
  if (writtenRecipient(fields) === null) return invalid("The parameter to is required.");
  if (biz_opaque_callback_data === undefined) return null;
  if (typeof biz_opaque_callback_data !== "string") {
    return invalid("Param biz_opaque_callback_data must be a string.");
  }
  if (isLonger(biz_opaque_callback_data, callbackDataLengthMax)) {
    return invalid(
      `Param biz_opaque_callback_data must be at most ${callbackDataLengthMax} characters long.`,
    );
  }
  return null;
}

/** Meta also accepts an object as a text that contains its JSON. */
function decoded(value: unknown): Fields | null {
  if (typeof value !== "string") return null;
  try {
    return asFields(JSON.parse(value));
  } catch {
    return null;
  }
}

function isMessageType(type: unknown): type is MessageType {
  return typeof type === "string" && Object.hasOwn(contentRules, type);
}
