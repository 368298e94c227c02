import { asFields, isLonger, shown, type Fields } from "./fields";
import { invalidParameter as invalid, missingParameter as missing, type GraphError } from "./graph-errors";
import { interactiveProblem } from "./interactive-rules";
import { mediaObjectProblem } from "./media-object";

export interface ContentRule {
  /** Returns the error of the content object, which is in the field with the type's name. Null if it is valid. */
  check(content: Fields, type: string): GraphError | null;
  /** The part that the ledger stores. */
  body(content: Fields): unknown;
}

const textLengthMax = 4096;
/** Contacts in one message. */
const contactsMax = 257;

/** Largest absolute value of each coordinate, in degrees. */
const coordinates = { latitude: 90, longitude: 180 } as const;

const wholeObject = (content: Fields): unknown => content;

const mediaObject: ContentRule = { check: mediaObjectProblem, body: wholeObject };

const templateObject: ContentRule = {
  check: ({ name, language }) => {
    if (typeof name !== "string" || name === "") return missing("Parameter template['name'] is required.");
    if (typeof asFields(language)?.code === "string") return null;
    return missing("Parameter template['language']['code'] is required.");
  },
  body: wholeObject,
};

const textObject: ContentRule = {
  check: ({ body, preview_url }) => {
    if (typeof body !== "string") return invalid("The parameter text['body'] is required.");
    if (body.length === 0) return invalid("Param text['body'] must be at least 1 characters long.");
    if (isLonger(body, textLengthMax)) {
      return invalid(`Param text['body'] must be at most ${textLengthMax} characters long.`);
    }
    if (preview_url === undefined || typeof preview_url === "boolean") return null;
    return invalid("Param text['preview_url'] must be a boolean.");
  },
  body: ({ body }) => body,
};

const locationObject: ContentRule = {
  check: (content) => {
    for (const [name, max] of Object.entries(coordinates)) {
      const value = content[name];
      if (value === undefined || value === "")
        return invalid(`The parameter location['${name}'] is required.`);
      const isNumber = typeof value === "number" || (typeof value === "string" && value.trim() !== "");
      if (isNumber && Math.abs(Number(value)) <= max) continue;
      return {
        error: "parameter_value_invalid",
        details: `Parameter location['${name}'] must be a number from -${max} to ${max}.`,
      };
    }
    return null;
  },
  body: wholeObject,
};

const contactsList: ContentRule = {
  check: (content) => {
    if (!Array.isArray(content) || content.length === 0)
      return invalid("The parameter contacts is required.");
    if (content.length > contactsMax) {
      return invalid(`Param contacts must have at most ${contactsMax} elements.`);
    }
    const contacts: readonly unknown[] = content;
    const unnamed = contacts.findIndex((contact) => {
      const name = asFields(asFields(contact)?.name)?.formatted_name;
      return typeof name !== "string" || name === "";
    });
    if (unnamed === -1) return null;
    return invalid(`The parameter contacts[${unnamed}]['name']['formatted_name'] is required.`);
  },
  body: wholeObject,
};

const reactionObject: ContentRule = {
  check: ({ message_id, emoji }) => {
    if (typeof message_id !== "string" || message_id === "") {
      return invalid("The parameter reaction['message_id'] is required.");
    }
    if (typeof emoji !== "string") return invalid("The parameter reaction['emoji'] is required.");
    // An empty text takes the reaction back.
    if (emoji === "" || isEmoji(emoji)) return null;
    return {
      error: "parameter_value_invalid",
      details: `Parameter reaction['emoji'] must be one emoji - got "${shown(emoji)}".`,
    };
  },
  body: wholeObject,
};

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

function isEmoji(text: string): boolean {
  const [, second] = Array.from(graphemes.segment(text.slice(0, 64)));
  // A picture, a flag, or a keycap.
  return second === undefined && /\p{Extended_Pictographic}|\p{Regional_Indicator}{2}|\u20e3/u.test(text);
}

/** Required content of a message of each type, in the field with the type's name. */
export const contentRules = {
  text: textObject,
  image: mediaObject,
  audio: mediaObject,
  video: mediaObject,
  document: mediaObject,
  sticker: mediaObject,
  template: templateObject,
  interactive: { check: interactiveProblem, body: wholeObject },
  location: locationObject,
  reaction: reactionObject,
  contacts: contactsList,
} as const satisfies Record<string, ContentRule>;

export type MessageType = keyof typeof contentRules;
