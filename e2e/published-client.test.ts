import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WhatsAppAPI } from "whatsapp-api-js";
import { type Customer, givenTo, newCustomer, type Scene } from "./conformance/customer";
import { sentKinds } from "./conformance/published-kinds";
import { PUBLISHED_MESSAGES } from "./conformance/published-messages";
import { type Given, SENT_CONTENTS, type SentName } from "./conformance/sent-contents";
import { openApi } from "./support/api";
import { createKey, demo } from "./support/cli";
import { asJson } from "./support/contract";
import { startMeta } from "./support/meta";
import { type PassingCall, startProxy } from "./support/proxy";
import { ledgerEntriesOf } from "./support/simulator";
import { until } from "./support/until";
import { startWaypost } from "./support/waypost";

type Json = Readonly<Record<string, unknown>>;

const GRAPH = "https://graph.facebook.com";
const LIMIT_MAX = 1_000_000;

interface Difference {
  readonly reason: string;
  /** Turns Waypost's content into the client's. */
  readonly toClient: (content: Json) => unknown;
}

/** Every difference between Waypost's content and the client's that is allowed, by type. */
const DIFFERENCES: Readonly<Record<string, Difference>> = {
  text: {
    reason: "Waypost says that it wants no preview, which is WhatsApp's default, and the client omits that",
    toClient: ({ preview_url, ...text }) => (preview_url === false ? text : { preview_url, ...text }),
  },
  template: {
    reason:
      "the client names the only policy that WhatsApp has, and writes the index of a button as a number, which " +
      "WhatsApp's own examples write as a text",
    toClient: ({ language, components, ...template }) => ({
      ...template,
      language: { ...asJson(language), policy: "deterministic" },
      components: withNumbers(components),
    }),
  },
  contacts: {
    reason: "the client writes the list as JSON in a text, which WhatsApp accepts as well",
    toClient: (contacts) => JSON.stringify(contacts),
  },
};

/** Returns the components with each index as a number. */
function withNumbers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withNumbers);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [
    name,
    name === "index" ? Number(member) : withNumbers(member),
  ]);
  return Object.fromEntries(members);
}

/** Calls that send a message, in their order. */
const calls: PassingCall[] = [];
let scene: Scene;
let customer: Customer;
let given: Given;
const stops: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  const meta = await startMeta();
  stops.push(() => meta.stop());
  const passing = (call: PassingCall) => {
    if (call.path.endsWith("/messages")) calls.push(call);
    return () => undefined;
  };
  const proxy = await startProxy({ targets: () => [meta.url], passing });
  stops.push(() => proxy.close());
  const server = await startWaypost({ env: { WAYPOST_SIMULATOR_URL: proxy.url } });
  stops.push(() => server.stop());
  const organization = await demo(server);
  const limits = { sendLimit: LIMIT_MAX, readLimit: LIMIT_MAX };
  const key = await createKey(server, organization.organization_id, limits);
  const api = await openApi(server.baseUrl);
  scene = {
    server: { simulatorUrl: proxy.url },
    api,
    demo: organization,
    keys: { main: key, sibling: key },
  };
  customer = await newCustomer(scene);
  given = await givenTo(scene, customer.first.messageId);
});
afterAll(async () => {
  for (const stop of stops.toReversed()) await stop();
});

const bodyOf = ({ body }: PassingCall) => asJson(JSON.parse(body.toString("utf8")));

/** Returns the calls with this id of ours. */
const callsOf = (id: string) => calls.filter((call) => bodyOf(call).biz_opaque_callback_data === id);

/** Sends with the published client, unchanged. Only the address of the Graph API is another one. */
async function sendByClient(name: SentName, ours: PassingCall, quotes: string | undefined): Promise<void> {
  const [, version = "", phoneNumberId = ""] = ours.path.split("/");
  const toSimulator: typeof globalThis.fetch = (url, init) => {
    const address = new Request(url).url;
    if (!address.startsWith(GRAPH)) throw new Error(`The client called ${address}`);
    return fetch(scene.server.simulatorUrl + address.slice(GRAPH.length), init);
  };
  const client = new WhatsAppAPI({
    token: ours.headers.authorization?.replace(/^Bearer /, "") ?? "",
    secure: false,
    v: version,
    ponyfill: { fetch: toSimulator },
  });
  const { type, biz_opaque_callback_data: id, ...body } = bodyOf(ours);
  const { id: file } = asJson(body[String(type)]);
  const message = PUBLISHED_MESSAGES[name]({ file: String(file), message: customer.first.upstreamId });
  const answer = await client.sendMessage(phoneNumberId, customer.handle, message, quotes, String(id));
  expect(answer).toHaveProperty("messages");
}

/** Waypost's body as the client would write it. */
function asClient(body: Json): Json {
  const type = String(body.type);
  const { toClient = (content: Json): unknown => content } = DIFFERENCES[type] ?? {};
  return { ...body, [type]: toClient(asJson(body[type])) };
}

const NAMES = Object.keys(SENT_CONTENTS) as SentName[];

test("there is a message of each kind that the document lets a client send", () => {
  const kinds = new Set<string>(NAMES.map((name) => SENT_CONTENTS[name].kind));
  expect([...kinds].toSorted()).toEqual(sentKinds(scene.api.document).toSorted());
});

/** A reaction names its message itself. */
const WAYS = NAMES.flatMap((name) =>
  [false, true]
    .filter((isQuoting) => !isQuoting || SENT_CONTENTS[name].kind !== "reaction")
    .map((isQuoting) => ({ name, isQuoting })),
);

test.each(WAYS)(
  "$name: a published client sends the simulator what Waypost sends; as a quote: $isQuoting",
  async ({ name, isQuoting }) => {
    const { messageId, upstreamId } = customer.first;
    const { type, ...content } = SENT_CONTENTS[name].content(given);
    const reply_to = { message_id: messageId };
    const id = await customer.send({ type, ...content, ...(isQuoting && { reply_to }) });
    const ours = await until("Waypost sends the message", () => callsOf(id)[0]);
    const quotes = isQuoting ? upstreamId : undefined;
    await sendByClient(name, ours, quotes);
    const [, theirs, ...others] = callsOf(id);
    if (!theirs) throw new Error("The client sent nothing");
    expect(others).toEqual([]);

    const addressOf = ({ method, path, headers }: PassingCall) => ({
      method,
      path,
      type: headers["content-type"],
      token: headers.authorization,
    });
    expect(addressOf(theirs)).toEqual(addressOf(ours));
    expect(bodyOf(theirs)).toEqual(asClient(bodyOf(ours)));
    const isSame = isDeepStrictEqual(bodyOf(theirs)[type], bodyOf(ours)[type]);
    expect(isSame).toBe(DIFFERENCES[type] === undefined);
    expect(bodyOf(ours).context).toEqual(quotes && { message_id: quotes });

    const entries = await ledgerEntriesOf(scene.server.simulatorUrl, id);
    const [first, second, ...further] = entries.map(({ wamid: _wamid, at: _at, body, ...entry }) => ({
      ...entry,
      body: type === "template" ? asClient({ type, template: body }).template : body,
    }));
    expect([second, further]).toEqual([first, []]);
  },
);
