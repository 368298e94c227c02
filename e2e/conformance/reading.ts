import { until } from "@/e2e/support/until";
import { refused, send, type Journey } from "./scenario";
import type { World } from "./world";

const UNKNOWN_ID = "01890a5d-ac96-774b-bcce-b302099a8057";
/** Headers that differ between any two responses. */
const PASSING_HEADERS = new Set(["date", "x-request-id", "x-ratelimit-remaining", "x-ratelimit-reset"]);

/** The reasons to hide a message: the response is the same 404 for all of them. */
const HIDDEN = {
  "another organization's message": ({ messages }) => messages.ofOther,
  "an internal note": ({ demo }) => demo.internal_note_id,
  "a message on a channel that the key may not use": ({ messages }) => messages.own,
  "a malformed id": () => "not-an-id",
  "an id with a NUL": () => "%00",
  "an id of another alphabet": () => "%F0%9F%91%8B",
  "an id of thousands of characters": () => "a".repeat(4000),
} as const satisfies Record<string, (world: World) => string>;

/** `GET /messages/{id}`. */
export const reading: readonly Journey[] = [
  ...Object.entries<(world: World) => string>(HIDDEN).map(([name, idOf]): Journey => ({
    name: `answers ${name} byte for byte as an unknown id`,
    async run(world, expect) {
      const { secret } = world.keys.secondChannel;
      const read = (id: string) => world.api.call({ path: `/messages/${id}`, key: secret });
      const unknown = await read(UNKNOWN_ID);
      const hidden = await read(idOf(world));
      expect(unknown).toMatchObject(refused(404, "message_not_found"));
      expect(visible(hidden)).toEqual(visible(unknown));
    },
  })),
  {
    name: "tells what was sent to whom, that it was read, and when",
    async run(world, expect) {
      const sent = await world.api.call(send(world, { text: { body: "Hello" } }));
      const { message_id: id } = JSON.parse(sent.text);
      const message = await untilRead(world, id);
      const { contacts, channels } = world.demo;
      expect(message).toEqual({
        message_id: id,
        client_message_id: world.id,
        thread_id: contacts.open_window.thread_id,
        contact_id: contacts.open_window.contact_id,
        channel_id: channels.default,
        direction: "outbound",
        type: "text",
        to: { kind: "whatsapp", handle: contacts.open_window.handle, user_id: null },
        from: null,
        content: { text: { body: "Hello" } },
        reply_to: null,
        delivery_state: "read",
        error: null,
        created_at: expect.any(String),
        sent_at: expect.any(String),
        delivered_at: expect.any(String),
        read_at: expect.any(String),
        failed_at: null,
      });
    },
  },
  {
    name: "gives the file of a customer's message, of the type of its bytes, to be saved",
    async run({ api, messages, keys }, expect) {
      const path = `/messages/${messages.withFile}/media`;
      const answer = await api.call({ path, key: keys.main.secret });
      expect(answer).toMatchObject({ status: 200, text: expect.stringContaining("IHDR") });
      expect(answer.headers).toMatchObject({
        "content-type": "image/png",
        "content-disposition": `attachment; filename="${messages.withFile}.png"`,
        "content-security-policy": "default-src 'none'; sandbox",
        "x-content-type-options": "nosniff",
        "cache-control": "no-store",
        "x-ratelimit-limit": "1000000",
      });
      // Next sends a file in chunks, without its length.
      expect(answer.headers["content-length"] ?? "69").toBe("69");
    },
  },
  {
    name: "has no file for other messages, and says that one is gone",
    async run({ api, messages, keys }, expect) {
      const read = (id: string, { secret }: { secret: string } = keys.main) =>
        api.call({ path: `/messages/${id}/media`, key: secret });
      const notFound = refused(404, "media_not_found");
      for (const id of [UNKNOWN_ID, messages.own, messages.ofOther, "not-an-id"])
        expect(await read(id)).toMatchObject(notFound);
      expect(await read(messages.withFile, keys.secondChannel)).toMatchObject(notFound);
      expect(await read(messages.withFile, keys.sendsOnly)).toMatchObject(refused(403, "missing_scope"));
      expect(await read(messages.withGoneFile)).toMatchObject(refused(410, "media_gone"));
    },
  },
  {
    name: "takes an id in capital letters",
    async run({ api, messages, keys }, expect) {
      const path = `/messages/${messages.own.toUpperCase()}`;
      const answer = await api.call({ path, key: keys.main.secret });
      expect(answer).toMatchObject({ status: 200, body: { message_id: messages.own } });
    },
  },
  {
    name: "doesn't let the query name another message than the path",
    async run({ api, messages, keys }, expect) {
      const path = `/messages/${UNKNOWN_ID}?id=${messages.own}`;
      const { status } = await api.call({ path, key: keys.main.secret });
      expect(status).toBeGreaterThanOrEqual(400);
    },
  },
];

function untilRead({ api, keys }: World, id: string) {
  const read = async () => {
    const { text } = await api.call({ path: `/messages/${id}`, key: keys.main.secret });
    const message = JSON.parse(text);
    return message.delivery_state === "read" ? message : null;
  };
  return until("the message is read", read, { intervalMs: 100 });
}

interface Visible {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

function visible({ status, text, headers }: Visible): Visible {
  const lasting = Object.entries(headers).filter(([name]) => !PASSING_HEADERS.has(name));
  return { status, text, headers: Object.fromEntries(lasting) };
}
