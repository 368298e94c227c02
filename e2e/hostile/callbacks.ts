import { createHmac } from "node:crypto";
import fc from "fast-check";
import { type HeaderLine, type HostileCase, requestBytes } from "./case";
import { mutated } from "./mutations";
import { anyText, headerValue, pathGarbage } from "./nasty";
import { type HostileWorld, PHONE_NUMBER_ID, VERIFY_TOKEN } from "./world";

export const CALLBACK_PREFIX = "/api/upstream/whatsapp/";
const HOST = { name: "Host", value: "hostile.example" } as const;

const digits = fc.stringMatching(/^[0-9]{0,18}$/);
const timestamps = fc.oneof(
  fc.nat().map(String),
  digits,
  fc.constantFrom("-1", "1e3", "99999999999999999999"),
);

const statuses = fc.record({
  id: fc.oneof(
    fc.uuid().map((id) => `wamid.${id}`),
    anyText(60),
  ),
  status: fc.constantFrom("sent", "delivered", "read", "failed", "played", "unknown"),
  timestamp: timestamps,
  recipient_id: digits,
  biz_opaque_callback_data: fc.oneof(fc.uuid(), anyText(40)),
  errors: fc.array(fc.record({ code: fc.integer(), title: anyText(20) }), { maxLength: 2 }),
});

const inbound = fc.record({
  id: fc.uuid().map((id) => `wamid.${id}`),
  from: digits,
  timestamp: timestamps,
  type: fc.constantFrom(
    "text",
    "image",
    "reaction",
    "contacts",
    "order",
    "system",
    "unsupported",
    "interactive",
    "toString",
  ),
  text: fc.record({ body: anyText(200) }),
  image: fc.record({ id: digits, mime_type: anyText(20), caption: anyText(60) }),
  context: fc.record({ id: anyText(40), from: digits }),
});

/** Callbacks in the upstream's form, with texts and numbers that it wouldn't send. */
const callbacks = fc
  .record({
    field: fc.constantFrom(
      "messages",
      "message_template_status_update",
      "account_update",
      "user_preferences",
      "__proto__",
    ),
    phoneNumberId: fc.oneof(digits, fc.constant(PHONE_NUMBER_ID)),
    statuses: fc.array(statuses, { maxLength: 3 }),
    messages: fc.array(inbound, { maxLength: 3 }),
    profile: anyText(80),
  })
  .map(({ field, phoneNumberId, profile, ...lists }) => ({
    object: "whatsapp_business_account",
    entry: [
      {
        id: "1",
        changes: [
          {
            field,
            value: {
              messaging_product: "whatsapp",
              metadata: { display_phone_number: "1", phone_number_id: phoneNumberId },
              contacts: [{ profile: { name: profile }, wa_id: "4915100000001" }],
              ...lists,
            },
          },
        ],
      },
    ],
  }));

/** Callbacks, signed and unsigned, and verifications, to channels that exist and to others. */
export function upstreamCalls(world: HostileWorld): fc.Arbitrary<HostileCase> {
  const known = fc.constantFrom(world.demo.channels.default, world.callbackChannel.id);
  const unknown = fc.oneof(
    fc.uuid(),
    pathGarbage.map((text) => text.replaceAll(/[/?#\s]/g, "-") || "-"),
  );
  const channels = fc.oneof(
    { weight: 8, arbitrary: fc.constant(world.callbackChannel.id) },
    { weight: 1, arbitrary: known },
    { weight: 1, arbitrary: unknown },
  );
  return fc.oneof(
    { weight: 4, arbitrary: posts(world, channels) },
    { weight: 1, arbitrary: verifications(channels) },
  );
}

function posts({ callbackChannel }: HostileWorld, channels: fc.Arbitrary<string>): fc.Arbitrary<HostileCase> {
  const bodies = fc.oneof(
    { weight: 1, arbitrary: callbacks.map((value) => Buffer.from(JSON.stringify(value))) },
    { weight: 3, arbitrary: mutated(callbacks) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 100 }).map((bytes) => Buffer.from(bytes)) },
  );
  const kinds = fc.constantFrom("signed", "signed", "signed", "other", "none");
  return fc.tuple(channels, bodies, kinds, headerValue).map(([id, bytes, kind, other]): HostileCase => {
    const line = { method: "POST", target: CALLBACK_PREFIX + id };
    const value = kind === "signed" ? signatureOf(bytes, callbackChannel.appSecret) : other;
    const signature: HeaderLine = { name: "X-Hub-Signature-256", value };
    const headers = kind === "none" ? [HOST] : [HOST, signature];
    return {
      family: "a callback",
      pieces: [requestBytes(line, headers, bytes)],
      requests: [line],
      ending: "each",
    };
  });
}

/** Returns the upstream's signature of a callback's bytes. */
export function signatureOf(bytes: Uint8Array, appSecret: string): string {
  return `sha256=${createHmac("sha256", appSecret).update(bytes).digest("hex")}`;
}

function verifications(channels: fc.Arbitrary<string>): fc.Arbitrary<HostileCase> {
  const pair = fc
    .tuple(
      fc.constantFrom("hub.mode", "hub.challenge", "hub.verify_token", "hub"),
      fc.oneof(fc.constantFrom("subscribe", VERIFY_TOKEN), pathGarbage),
    )
    .map(([name, value]) => `${name}=${value.replaceAll(/[#\s]/g, "-")}`);
  const methods = fc.constantFrom("GET", "GET", "PUT", "DELETE", "HEAD", "OPTIONS");
  return fc
    .tuple(channels, methods, fc.array(pair, { maxLength: 4 }))
    .map(([id, method, pairs]): HostileCase => {
      const line = { method, target: `${CALLBACK_PREFIX}${id}?${pairs.join("&")}` };
      return {
        family: "a verification",
        pieces: [requestBytes(line, [HOST])],
        requests: [line],
        ending: "each",
      };
    });
}
