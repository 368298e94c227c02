import { expect, test } from "vitest";
import { ledgerOf, send, startWithReceiver } from "./testing";

const addressed = { messaging_product: "whatsapp", to: "4915112345678" };
const link = "https://example.com/a";

type Part = Record<string, unknown>;

const button = (id: string, title: string) => ({ type: "reply", reply: { id, title } });
const buttonsOf = (count: number) =>
  Array.from({ length: count }, (_, place) => button(`id-${place}`, `Title ${place}`));
const rowsOf = (count: number) =>
  Array.from({ length: count }, (_, place) => ({ id: `id-${place}`, title: `Row ${place}` }));

/** A message with reply buttons, valid but for the changes. */
const withButtons = (changes: Part = {}) => ({
  type: "interactive",
  interactive: {
    type: "button",
    body: { text: "Is it there?" },
    action: { buttons: buttonsOf(1) },
    ...changes,
  },
});
/** A message with a list, valid but for the changes. */
const withList = (sections: unknown, changes: Part = {}) => ({
  type: "interactive",
  interactive: { type: "list", body: { text: "Which?" }, action: { button: "Choose", sections }, ...changes },
});
const withLink = (parameters: object) => ({
  type: "interactive",
  interactive: { type: "cta_url", body: { text: "See" }, action: { name: "cta_url", parameters } },
});
const rowWith = (changes: Part) => [{ rows: [{ id: "id", title: "Row", ...changes }] }];
const located = (latitude: unknown, longitude: unknown) => ({
  type: "location",
  location: { latitude, longitude },
});
const reacting = (emoji: unknown) => ({ type: "reaction", reaction: { message_id: "wamid.HBgL", emoji } });
const image = (content: object) => ({ type: "image", image: content });

const REFUSED: readonly (readonly [what: string, message: object, code: number, words: RegExp])[] = [
  ["no buttons", withButtons({ action: { buttons: [] } }), 131009, /Invalid buttons count/],
  ["4 buttons", withButtons({ action: { buttons: buttonsOf(4) } }), 131009, /Max allowed buttons: 3/],
  ["buttons that are no list", withButtons({ action: { buttons: 3 } }), 100, /\['buttons'\] is required/],
  ["no action", withButtons({ action: undefined }), 100, /\['action'\]\['buttons'\] is required/],
  [
    "a button title of 21",
    withButtons({ action: { buttons: [button("a", "😀".repeat(21))] } }),
    131009,
    /Button title length invalid\. Min length: 1, Max length: 20/,
  ],
  ["an empty title", withButtons({ action: { buttons: [button("a", "")] } }), 131009, /Button title length/],
  [
    "a button id of 257",
    withButtons({ action: { buttons: [button("x".repeat(257), "A")] } }),
    131009,
    /Button id/,
  ],
  [
    "a button without a reply",
    withButtons({ action: { buttons: [{ type: "reply" }] } }),
    100,
    /\['buttons'\]\[0\]\['reply'\]\['id'\] is required/,
  ],
  [
    "the same button id twice",
    withButtons({ action: { buttons: [button("a", "A"), button("a", "B")] } }),
    131009,
    /Duplicated button id/,
  ],
  [
    "the same button title twice",
    withButtons({ action: { buttons: [button("a", "A"), button("b", "A")] } }),
    131009,
    /Duplicated button title/,
  ],
  ["no body", withButtons({ body: undefined }), 100, /interactive\['body'\]\['text'\] is required/],
  ["an empty body", withButtons({ body: { text: "" } }), 131009, /Body text length invalid/],
  ["a body of 1025", withButtons({ body: { text: "x".repeat(1025) } }), 131009, /Max length: 1024/],
  ["a footer of 61", withButtons({ footer: { text: "x".repeat(61) } }), 131009, /Footer text.*60/],
  [
    "a header of 61",
    withButtons({ header: { type: "text", text: "x".repeat(61) } }),
    131009,
    /Header text.*60/,
  ],
  ["a header of another type", withButtons({ header: { type: "audio" } }), 100, /\['header'\]\['type'\]/],
  [
    "a header without its file",
    withButtons({ header: { type: "image" } }),
    100,
    /\['header'\]\['image'\] is required/,
  ],
  [
    "a header with a caption",
    withButtons({ header: { type: "image", image: { link, caption: "A" } } }),
    100,
    /Unexpected key "caption"/,
  ],
  ["an empty interactive object", { type: "interactive", interactive: {} }, 100, /\['type'\] is required/],
  [
    "an unknown interactive type",
    { type: "interactive", interactive: { type: "quiz" } },
    100,
    /must be one of \{BUTTON,/,
  ],
  ["11 rows", withList([{ rows: rowsOf(11) }]), 131009, /Total row count exceed max allowed count: 10/],
  [
    "11 rows in two sections",
    withList([
      { title: "A", rows: rowsOf(5) },
      { title: "B", rows: rowsOf(6) },
    ]),
    131009,
    /Total row count/,
  ],
  ["no sections", withList([]), 131009, /Invalid sections count/],
  ["an empty section", withList([{ rows: [] }]), 100, /\['sections'\]\[0\]\['rows'\] is required/],
  [
    "two sections without titles",
    withList([{ rows: rowsOf(1) }, { rows: [{ id: "b", title: "B" }] }]),
    100,
    /\['sections'\]\[0\]\['title'\] is required/,
  ],
  [
    "a row title of 25",
    withList(rowWith({ title: "x".repeat(25) })),
    131009,
    /Row title is too long\. Max length is 24/,
  ],
  [
    "a row without a title",
    withList(rowWith({ title: "" })),
    100,
    /\['sections'\]\[0\]\['rows'\]\[0\]\['title'\] is required/,
  ],
  ["a row id of 201", withList(rowWith({ id: "x".repeat(201) })), 131009, /Row id is too long/],
  [
    "a row description of 73",
    withList(rowWith({ description: "x".repeat(73) })),
    131009,
    /Row description is too long\. Max length is 72/,
  ],
  ["the same row id twice", withList([{ rows: [...rowsOf(1), ...rowsOf(1)] }]), 131009, /Duplicated row id/],
  [
    "a section title of 25",
    withList([{ title: "x".repeat(25), rows: rowsOf(1) }]),
    131009,
    /Section title.*24/,
  ],
  [
    "a list button of 21",
    withList([], { action: { button: "x".repeat(21), sections: [{ rows: rowsOf(1) }] } }),
    131009,
    /Button text.*20/,
  ],
  [
    "a list body of 4097",
    withList([{ rows: rowsOf(1) }], { body: { text: "x".repeat(4097) } }),
    131009,
    /4096/,
  ],
  ["a list with a picture", withList([{ rows: rowsOf(1) }], { header: { type: "image" } }), 100, /\{TEXT\}/],
  [
    "a link button of 21",
    withLink({ display_text: "x".repeat(21), url: link }),
    131009,
    /Button text.*Max length: 20/,
  ],
  ["a link button without a URL", withLink({ display_text: "Show" }), 100, /\['url'\] is required/],
  ["latitude 999", located(999, 0), 131009, /location\['latitude'\] must be a number from -90 to 90/],
  ["longitude -180.1", located("0", "-180.1"), 131009, /from -180 to 180/],
  ["a latitude in words", located("north", 0), 131009, /latitude/],
  ["no longitude", located(0, undefined), 100, /location\['longitude'\] is required/],
  [
    "a contact without a formatted name",
    { type: "contacts", contacts: [{ name: { first_name: "Ada" } }] },
    100,
    /contacts\[0\]\['name'\]\['formatted_name'\] is required/,
  ],
  ["no contacts", { type: "contacts", contacts: [] }, 100, /contacts is required/],
  [
    "258 contacts",
    { type: "contacts", contacts: Array.from({ length: 258 }, () => ({ name: { formatted_name: "A" } })) },
    100,
    /at most 257/,
  ],
  ["a reaction of letters", reacting("abc"), 131009, /must be one emoji/],
  ["a reaction of two emojis", reacting("👍👍"), 131009, /must be one emoji/],
  ["a reaction without an emoji", reacting(undefined), 100, /reaction\['emoji'\] is required/],
  [
    "a reaction to nothing",
    { type: "reaction", reaction: { emoji: "👍" } },
    100,
    /reaction\['message_id'\] is required/,
  ],
  [
    "audio with a caption",
    { type: "audio", audio: { link, caption: "A" } },
    100,
    /Unexpected key "caption" on param "audio"/,
  ],
  ["a caption of 1025", image({ link, caption: "x".repeat(1025) }), 100, /image\['caption'\].*1024/],
  ["both an id and a link", image({ id: "1", link }), 100, /either id or link, not both/],
  ["an empty link", image({ link: "" }), 100, /image\['link'\] is not a valid URI/],
  ["a link to a file of this machine", image({ link: "file:///etc/hostname" }), 100, /not a valid URI/],
  ["a link of ftp", image({ link: "ftp://example.com/a.jpg" }), 100, /not a valid URI/],
  ["a link of javascript", image({ link: "javascript:alert(1)" }), 100, /not a valid URI/],
  ["a link without a scheme", image({ link: "example.com/a.jpg" }), 100, /not a valid URI/],
];

test.each(REFUSED)("refuses %s, as Meta does", async (_, message, code, words) => {
  const { simulator } = await startWithReceiver();
  const { status, body } = await send(simulator, { ...addressed, ...message });
  expect(body).toMatchObject({ error: { code, type: "OAuthException" } });
  expect(JSON.stringify(body).replaceAll('\\"', '"')).toMatch(words);
  expect(status).toBe(400);
  expect((await ledgerOf(simulator)).messages).toEqual([]);
});

const longest = "😀".repeat(20);

test.each<readonly [string, object]>([
  [
    "buttons",
    withButtons({
      header: { type: "text", text: "x".repeat(60) },
      body: { text: "😀".repeat(1024) },
      footer: { text: "x".repeat(60) },
      action: { buttons: [button("x".repeat(256), longest), button("b", "B"), button("c", "C")] },
    }),
  ],
  [
    "a list",
    withList(
      [
        { title: "x".repeat(24), rows: rowsOf(9) },
        { title: "B", rows: [{ id: "x".repeat(200), title: "x".repeat(24), description: "x".repeat(72) }] },
      ],
      { body: { text: "x".repeat(4096) } },
    ),
  ],
  ["a button with a link", withLink({ display_text: longest, url: link })],
  ["a location", located(-90, "180")],
  ["a caption", image({ link, caption: "😀".repeat(1024) })],
  ["an emoji of several characters", reacting("👨‍👩‍👧‍👦")],
  ["an emoji with a skin", reacting("👍🏽")],
  ["a flag", reacting("🇩🇪")],
  ["a heart without a variation selector", reacting("❤")],
  ["a keycap", reacting("1️⃣")],
  ["a product", { type: "interactive", interactive: { type: "product", action: { catalog_id: "1" } } }],
])("accepts %s at its limits", async (_, message) => {
  const { simulator } = await startWithReceiver();
  const answer = await send(simulator, { ...addressed, ...message });
  expect(answer).toMatchObject({ status: 200, body: { messages: [{ id: expect.any(String) }] } });
});
