import { randomInt } from "node:crypto";
import { customerWrites, ledgerEntriesOf } from "@/e2e/support/simulator";
import { LONG_READ, until } from "@/e2e/support/until";
import { send, sendTemplate, type Journey } from "./scenario";
import type { World } from "./world";

const LINK = "https://8.8.8.8/file";

/** The content of each type, and its form in the upstream's API. */
const CONTENTS = [
  {
    name: "an image by its address, with its caption",
    changes: () => ({
      type: "image",
      media: { url: LINK, mime_type: "image/png" },
      text: { body: "Grüße 👋" },
    }),
    reported: { type: "image", body: { link: LINK, caption: "Grüße 👋" } },
  },
  {
    name: "an image by its upload, though an address is given as well",
    changes: ({ demo }: World) => ({ type: "image", media: { ...demo.uploads.image, url: LINK } }),
    reported: { type: "image", body: { id: /./ } },
  },
  {
    name: "an audio without its filename, which WhatsApp shows of documents only",
    changes: () => ({ type: "audio", media: { url: LINK, filename: "Note.mp3" } }),
    reported: { type: "audio", body: { link: LINK } },
  },
  {
    name: "a video without a caption, where the caption is blank",
    changes: () => ({ type: "video", media: { url: LINK }, text: { body: " " } }),
    reported: { type: "video", body: { link: LINK } },
  },
  {
    name: "a document with its filename and caption",
    changes: () => ({
      type: "document",
      media: { url: LINK, filename: "März.pdf" },
      text: { body: "Your bill" },
    }),
    reported: { type: "document", body: { link: LINK, filename: "März.pdf", caption: "Your bill" } },
  },
] as const;

const handOvers: readonly Journey[] = CONTENTS.map(({ name, changes, reported }) => ({
  name: `hands ${name} over once, as it was said`,
  async run(world, expect) {
    const { status, text } = await world.api.call(send(world, { text: undefined, ...changes(world) }));
    expect(status).toBe(201);
    const [entry, ...others] = await untilHandedOver(world, JSON.parse(text).message_id);
    const body = Object.entries(reported.body).map(([field, value]) => [
      field,
      value instanceof RegExp ? expect.stringMatching(value) : value,
    ]);
    expect(entry).toMatchObject({ type: reported.type, to: world.demo.contacts.open_window.handle });
    expect(entry?.body).toEqual(Object.fromEntries(body));
    expect(others).toEqual([]);
  },
}));

const templates: readonly Journey[] = [
  {
    name: "hands a template over with its name, language and values, outside the window too",
    async run(world, expect) {
      const { approved } = world.demo.templates;
      const { handle } = world.demo.contacts.closed_window;
      const { text } = await world.api.call(sendTemplate(world, handle));
      const [entry] = await untilHandedOver(world, JSON.parse(text).message_id);
      const parameters = Object.values(approved.variables).map((value) => ({ type: "text", text: value }));
      expect(entry).toMatchObject({
        to: handle,
        type: "template",
        body: {
          name: approved.name,
          language: { code: approved.language },
          components: [{ type: "body", parameters }],
        },
      });
    },
  },
];

const preferences: readonly Journey[] = [
  {
    name: "refuses a marketing template once the customer wrote STOP, and takes it after START",
    async run(world, expect) {
      const handle = `49151${randomInt(1000, 10_000)}23456`;
      const template = world.demo.templates.approved_carousel;
      let attempts = 0;
      const offer = () => {
        const client_message_id = `${world.id}-offer-${attempts++}`;
        return world.api.call(sendTemplate(world, handle, { template, client_message_id }));
      };
      const first = await offer();
      expect(first.status).toBe(201);
      const [entry] = await untilHandedOver(world, JSON.parse(first.text).message_id);
      const customer = { phoneNumberId: entry?.phone_number_id ?? "", from: handle };
      await customerWrites(world.server.simulatorUrl, { ...customer, body: "Stop " });
      const stoppedAt = inSeconds();
      await until(
        "marketing is refused",
        async () => (await offer()).code === "recipient_opted_out",
        LONG_READ,
      );
      const refused = await offer();
      expect(refused).toMatchObject({ status: 422, code: "recipient_opted_out" });
      expect(JSON.parse(refused.text).error).toMatchObject({ field: "to.handle", resend: "never" });
      expect((await world.api.call(sendTemplate(world, handle))).status).toBe(201);
      // WhatsApp gives whole seconds, and within one of them an opt-out wins.
      await until("a later second begins", () => inSeconds() > stoppedAt);
      await customerWrites(world.server.simulatorUrl, { ...customer, body: "START" });
      await until("marketing is taken again", async () => (await offer()).status === 201, LONG_READ);
    },
  },
];

const inSeconds = () => Math.floor(Date.now() / 1000);

/** The simulator refuses numbers with this ending as undeliverable (code 131026). */
const UNDELIVERABLE = "99010";

/** Contents with permanent refusals, each with its error. */
const neverAccepted = ({ demo }: World) =>
  [
    [{ type: "image", template: undefined, media: { url: "https://127.0.0.1/" } }, "media_url_forbidden"],
    [{ type: "image", template: undefined, media: { storage_key: "unknown" } }, "invalid_media"],
    [{ template: demo.templates.pending }, "template_not_approved"],
    [{ template: { ...demo.templates.approved, variables: {} } }, "template_variables_mismatch"],
  ] as const;

const refusedNumbers: readonly Journey[] = [
  {
    name: "refuses a number that WhatsApp refused, says until when, and takes it again once the customer writes",
    async run(world, expect) {
      const handle = `49151${randomInt(1000, 10_000)}${UNDELIVERABLE}`;
      const first = await world.api.call(sendTemplate(world, handle));
      const { message_id: id, thread_id: threadId } = JSON.parse(first.text);
      const message = { path: `/messages/${id}`, key: world.keys.main.secret };
      await untilFailed(world, id);
      const { text: reported } = await world.api.call(message);
      expect(JSON.parse(reported).error).toMatchObject({ code: "undeliverable", resend: "never" });

      const client_message_id = `${world.id}-2`;
      const again = () => world.api.call(sendTemplate(world, handle, { client_message_id }));
      const inThread = { client_message_id, to: undefined, thread_id: threadId };
      for (const [field, answer] of [
        ["to.handle", await again()],
        ["thread_id", await world.api.call(sendTemplate(world, handle, inThread))],
      ] as const) {
        expect(answer).toMatchObject({ status: 422, code: "recipient_unreachable" });
        const { error } = JSON.parse(answer.text);
        expect(error).toMatchObject({ field, resend: "later" });
        const hoursAway = (Date.parse(error.resend_after) - Date.now()) / 3_600_000;
        expect(hoursAway).toBeGreaterThan(23);
        expect(hoursAway).toBeLessThanOrEqual(24);
      }
      for (const [changes, code] of neverAccepted(world)) {
        const answer = await world.api.call(sendTemplate(world, handle, { client_message_id, ...changes }));
        expect(answer.code).toBe(code);
      }
      const { phone_number_id: phoneNumberId } = await firstCall(world);
      await customerWrites(world.server.simulatorUrl, { phoneNumberId, from: handle, body: "Hi" });
      await until("the number is taken again", async () => (await again()).status < 300, LONG_READ);
    },
  },
];

/** Numbers for which WhatsApp reports refusals: in the response to the call, or in a status after it. */
const FAILURES = [
  { ending: "99010", code: "undeliverable", upstream: { code: 131_026, title: "Message undeliverable" } },
  { ending: "99011", code: "undeliverable", upstream: { code: 131_026, title: "Message undeliverable" } },
  ...["99013", "99014"].map((ending) => ({
    ending,
    code: "recipient_not_allowed",
    upstream: {
      code: 130_497,
      title: "Business account is restricted from messaging users in this country",
    },
  })),
  {
    ending: "99228",
    code: "outside_customer_window",
    upstream: { code: 131_047, title: "Re-engagement message" },
  },
  {
    ending: "99252",
    code: "upstream_rejected",
    upstream: { code: 199_999, title: "A code that no list knows" },
  },
] as const;

const failures: readonly Journey[] = FAILURES.map(({ ending, code, upstream }) => ({
  name: `tells with a failure WhatsApp's own code ${upstream.code}, alike when it is read and in the list (${ending})`,
  async run(world, expect) {
    const handle = `49151${randomInt(1000, 10_000)}${ending}`;
    const { message_id: id } = JSON.parse((await world.api.call(sendTemplate(world, handle))).text);
    const { error } = await untilFailed(world, id);
    expect(error).toMatchObject({ code, upstream });
    const list = { path: `/messages?client_message_id=${world.id}`, key: world.keys.main.secret };
    expect(JSON.parse((await world.api.call(list)).text).data[0].error).toEqual(error);
  },
}));

const deniedWindow: readonly Journey[] = [
  {
    name: "says of a window that WhatsApp reported as closed just that, though the customer has written",
    async run(world, expect) {
      const handle = `49151${randomInt(1000, 10_000)}99012`;
      const { phone_number_id: phoneNumberId } = await firstCall(world);
      await customerWrites(world.server.simulatorUrl, { phoneNumberId, from: handle, body: "Hi" });
      const to = { kind: "whatsapp", handle };
      const write = async (number: number) => {
        const answer = await world.api.call(send(world, { to, client_message_id: `${world.id}-${number}` }));
        return { status: answer.status, ...JSON.parse(answer.text) };
      };
      const accepted = await until(
        "the window is open",
        async () => {
          const answer = await write(1);
          return answer.status === 201 ? answer : null;
        },
        LONG_READ,
      );
      const { error } = await untilFailed(world, accepted.message_id);
      const rejected = await write(2);
      for (const reported of [error, rejected.error]) {
        expect(reported).toMatchObject({ code: "outside_customer_window", resend: "later" });
        expect(reported.message).toMatch(/^WhatsApp reports that .* is closed\.$/);
      }
      expect(rejected.status).toBe(422);
    },
  },
];

/** Returns the upstream's entry of the world's first message: it names the default channel's number. */
async function firstCall(world: World) {
  const [entry] = await untilHandedOver(world, world.messages.own);
  if (!entry) throw new Error("The first message wasn't handed over");
  return entry;
}

async function untilFailed({ api, keys }: World, id: string) {
  const read = async () => {
    const { text } = await api.call({ path: `/messages/${id}`, key: keys.main.secret });
    const message = JSON.parse(text);
    return message.delivery_state === "failed" ? message : null;
  };
  return until("the message has failed", read, LONG_READ);
}

async function untilHandedOver({ server }: World, messageId: string) {
  const entries = async () => {
    const found = await ledgerEntriesOf(server.simulatorUrl, messageId);
    return found.length > 0 ? found : null;
  };
  return until("the message is in the ledger", entries, LONG_READ);
}

/** The upstream gets each message once, and the API reports the upstream's error codes and its refusals of numbers. */
export const contents: readonly Journey[] = [
  ...handOvers,
  ...templates,
  ...preferences,
  ...refusedNumbers,
  ...failures,
  ...deniedWindow,
];
