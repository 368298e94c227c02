import { describe, expect, test } from "vitest";
import { withoutEntriesOf } from "./remove-person";
import { bytesOf, callback, inbound, nestedAround, status } from "@/server/domain/callbacks/testing";

const ANA = "5511987654321";
const BEN = "4915112345678";
const cut = (body: object, ...names: string[]) => withoutEntriesOf(bytesOf(body), new Set(names));
const json = (bytes: Buffer | null): unknown => JSON.parse(bytes?.toString() ?? "null");

describe("a callback without what is about one person", () => {
  test("keeps what is about others, word for word", () => {
    const ofBen = [inbound(BEN, "wamid.2"), { statuses: [status("read", "wamid.3", { recipient_id: BEN })] }];
    const ofAna = [{ statuses: [status("sent", "wamid.1", { recipient_id: ANA })] }, inbound(ANA, "wamid.4")];
    expect(json(cut(callback("1", ...ofAna, ...ofBen), ANA))).toEqual(
      callback("1", { statuses: [] }, { contacts: [], messages: [] }, ...ofBen),
    );
  });

  test("is found by a message's id where the number isn't told", () => {
    const statuses = [status("sent", "wamid.1"), status("sent", "wamid.2")];
    expect(json(cut(callback("1", { statuses }), "wamid.2"))).toEqual(
      callback("1", { statuses: statuses.slice(0, 1) }),
    );
  });

  test("found by a message's id has nothing of what is told of its person beside it", () => {
    const contacts = [{ wa_id: ANA, profile: { name: "Ana" } }, { wa_id: BEN }];
    const statuses = [status("sent", "wamid.1", { recipient_id: ANA })];
    expect(json(cut(callback("1", { contacts, statuses }), "wamid.1"))).toEqual(
      callback("1", { contacts: [{ wa_id: BEN }], statuses: [] }),
    );
  });

  test("that still waits keeps its statuses, and nothing else about the person", () => {
    const statuses = [status("sent", "wamid.1", { recipient_id: ANA })];
    const body = bytesOf(callback("1", { statuses }, inbound(ANA, "wamid.2")));
    expect(json(withoutEntriesOf(body, new Set([ANA]), { keepsStatuses: true }))).toEqual(
      callback("1", { statuses }, { contacts: [], messages: [] }),
    );
  });

  test("is found where a number comes as a JSON number, too", () => {
    const statuses = [status("sent", "wamid.1", { recipient_id: Number(ANA) })];
    expect(json(cut(callback("1", { statuses }), ANA))).toEqual(callback("1", { statuses: [] }));
  });

  test("has no new number of the person", () => {
    const system = { type: "user_changed_number", wa_id: ANA };
    const left = cut(callback("1", inbound(BEN, "wamid.5", { type: "system", system })), ANA);
    expect(left?.toString()).not.toContain(ANA);
  });

  test("is the same where another one only speaks of the number", () => {
    const body = callback("1", inbound(BEN, "wamid.6", { text: { body: `My friend has ${ANA}` } }));
    expect(cut(body, ANA)).toBeNull();
  });

  test("is without a whole change that Waypost doesn't read, where it names the person", () => {
    const echo = { field: "message_echoes", value: { deep: [{ to: ANA }] } };
    const other = { field: "security", value: { event: "x" } };
    expect(json(cut({ entry: [{ id: "1", changes: [echo, other] }] }, ANA))).toEqual({
      entry: [{ id: "1", changes: [other] }],
    });
  });

  test("is nothing at all where its shape isn't known", () => {
    expect(cut({ surprise: ANA }, ANA)?.length).toBe(0);
    expect(withoutEntriesOf(Buffer.from(`not JSON ${ANA}`), new Set([ANA]))?.length).toBe(0);
    expect(withoutEntriesOf(Buffer.from("not JSON"), new Set([ANA]))).toBeNull();
  });

  test("is found among the words of what is no JSON, however many names there are", () => {
    const names = new Set(Array.from({ length: 100_000 }, (_, index) => `wamid.${index}`));
    const words = Buffer.from(`{"to": "+${"x ".repeat(1_000_000)} `);
    expect(withoutEntriesOf(words, names)).toBeNull();
    expect(withoutEntriesOf(Buffer.concat([words, Buffer.from("+wamid.99999.")]), names)?.length).toBe(0);
  });

  test("is cut out however deep the rest is nested", () => {
    expect(withoutEntriesOf(nestedAround(ANA, 50_000), new Set([ANA]))?.toString() ?? ANA).not.toContain(ANA);
  });
});
