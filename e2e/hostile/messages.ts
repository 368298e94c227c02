import fc from "fast-check";
import { BASE_PATH } from "@/e2e/support/api";
import { asJson } from "@/e2e/support/contract";
import { mutated } from "./mutations";
import { anyText } from "./nasty";
import { valuesOf, withoutReferences } from "./schema";
import type { HostileWorld } from "./world";

export const SEND_TARGET = `${BASE_PATH}/messages`;

/** The body of a `POST /messages`. */
export interface MessageBody {
  readonly bytes: Buffer;
  readonly isGood: boolean;
}

const storable = (maxLength: number) => anyText(maxLength).map((text) => text.replaceAll("\0", ""));
/** Not blank: an invisible caption is dropped. */
const visible = (maxLength: number) => storable(maxLength - 1).map((text) => `a${text}`);
/** Ids of buttons and rows have no white space at their end. */
const ownId = (maxLength: number) => visible(maxLength).map((text) => text.trimEnd());
/** Values of templates must be on one line. */
const onOneLine = (text: string) => text.replaceAll(/[\s\u0085]+/g, " ");
/** The simulator reserves numbers ending in 99NNN for special outcomes. */
const handles = fc
  .tuple(fc.integer({ min: 100, max: 999 }), fc.nat(98_999))
  .map(([block, end]) => `4915${block}${String(end).padStart(5, "0")}`);
const clientIds = fc
  .tuple(fc.uuid(), storable(40))
  .map(([id, text]) => [...(id + text)].slice(0, 128).join(""));

/** Contents that need neither a file nor another message. */
const touches: fc.Arbitrary<Record<string, unknown>> = fc.oneof(
  fc.record({ id: ownId(256), title: visible(20), body: visible(1_024) }).map(({ body, ...button }) => ({
    type: "interactive",
    interactive: { type: "buttons", body, header: null, buttons: [button] },
  })),
  fc.record({ id: ownId(200), title: visible(24), description: storable(72) }).map((row) => ({
    type: "interactive",
    interactive: { type: "list", body: "Choose", button: "Open", sections: [{ title: null, rows: [row] }] },
  })),
  fc
    .record({ latitude: fc.integer({ min: -90, max: 90 }), longitude: fc.integer({ min: -180, max: 180 }) })
    .map((place) => ({ type: "location", location: { ...place, name: null } })),
  fc
    .record({ name: visible(256), phones: fc.array(visible(256), { minLength: 1, maxLength: 3 }) })
    .map((card) => ({ type: "contacts", contacts: [card] })),
);

/** Messages that must be accepted, of every type that needs no other server. */
function goodMessages({ demo }: HostileWorld): fc.Arbitrary<Record<string, unknown>> {
  const { open_window } = demo.contacts;
  const { approved } = demo.templates;
  const destination = fc.oneof(
    fc.constant({ thread_id: open_window.thread_id }),
    fc.constant({ to: { kind: "whatsapp", handle: open_window.handle }, thread_id: null }),
    handles.map((handle) => ({ to: { kind: "whatsapp", handle } })),
  );
  const byName = { name: approved.name, language: approved.language };
  const variables = fc.record(
    Object.fromEntries(Object.keys(approved.variables).map((name) => [name, visible(60).map(onOneLine)])),
    { noNullPrototype: true },
  );
  const content = fc.oneof(
    { weight: 5, arbitrary: visible(4_096).map((body) => ({ type: "text", text: { body } })) },
    {
      weight: 1,
      arbitrary: visible(1_024).map((body) => ({
        type: "image",
        text: { body },
        media: { storage_key: demo.uploads.image.storage_key, mime_type: null },
      })),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(
          variables,
          fc.constantFrom(byName, { template_submission_id: approved.template_submission_id }),
        )
        .map(([values, named]) => ({ type: "template", template: { ...named, variables: values } })),
    },
  );
  const touched = fc.oneof({ weight: 4, arbitrary: content }, { weight: 1, arbitrary: touches });
  return fc
    .tuple(clientIds, destination, touched, fc.constantFrom({}, { channel_id: demo.channels.default }))
    .map(([client_message_id, to, what, channel]) => ({ client_message_id, ...to, ...what, ...channel }));
}

/** Bodies of the document's schema, with existing and unknown ids. */
function schemaMessages({ contract, demo }: HostileWorld): fc.Arbitrary<unknown> {
  const way = ["paths", "/messages", "post", "requestBody", "content", "application/json", "schema"];
  const schema = way.reduce<unknown>((parent, part) => asJson(parent)[part], contract.document);
  return valuesOf(withoutReferences(contract.document, schema), {
    client_message_id: clientIds,
    channel_id: fc.constantFrom(...Object.values(demo.channels)),
    thread_id: fc.constantFrom(demo.contacts.open_window.thread_id, demo.contacts.closed_window.thread_id),
    handle: fc.oneof(handles, fc.constant(demo.contacts.conflicting.handle)),
    storage_key: fc.constant(demo.uploads.image.storage_key),
    // A host name would need a DNS lookup.
    url: fc.constantFrom("https://127.0.0.1/a.png", "https://[::1]/a.png", "http://a/", "https://10.1/"),
    template_submission_id: fc.constantFrom(
      ...Object.values(demo.templates).map((template) => template.template_submission_id),
    ),
  });
}

export function messageBodies(world: HostileWorld): fc.Arbitrary<MessageBody> {
  const good = goodMessages(world);
  const described = schemaMessages(world);
  const written = (value: unknown) => Buffer.from(JSON.stringify(value));
  return fc.oneof(
    { weight: 3, arbitrary: good.map((value) => ({ bytes: written(value), isGood: true })) },
    { weight: 2, arbitrary: described.map((value) => ({ bytes: written(value), isGood: false })) },
    { weight: 5, arbitrary: mutated(good).map((bytes) => ({ bytes, isGood: false })) },
    { weight: 2, arbitrary: mutated(described).map((bytes) => ({ bytes, isGood: false })) },
  );
}
