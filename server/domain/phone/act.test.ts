import { afterAll, beforeAll, expect, test } from "vitest";
import { asKey, codeOf } from "@/server/domain/messages/testing";
import { parseInput } from "@/server/core/input/parse-input";
import { actInput, actOnPhone } from "./act";
import { getPhone } from "./get";
import { openPhoneWorld, type PhoneWorld } from "./testing";

let world: PhoneWorld;
beforeAll(async () => void (world = await openPhoneWorld()));
afterAll(() => world.close());

type PhoneName = ReturnType<PhoneWorld["newPhone"]>;
type Act = Parameters<typeof parseInput<typeof actInput>>[1]["act"];

const act = (phone: PhoneName, what: Act, ctx = world.agent) =>
  actOnPhone({ ctx, input: parseInput(actInput, { ...phone, act: what }) });

const messagesOn = async (phone: PhoneName) =>
  (await getPhone({ ctx: world.agent, input: { ...phone, after: null } })).messages;

/** A message of the business that the customer hasn't read, because it says how it goes. */
const hello = { type: "text", text: { body: "Hello" } };

const acts: readonly { what: string; act: (wamid: string) => Act; shown: object }[] = [
  {
    what: "writes with a quote",
    act: (quotes) => ({ kind: "text", body: "Hi 👋", quotes }),
    shown: { type: "text", bubble: { text: "Hi 👋" } },
  },
  {
    what: "presses a button of a template",
    act: (wamid) => ({ kind: "press", wamid, answer: "button", value: "ty", title: "Thanks" }),
    shown: { type: "button", bubble: { text: "Thanks" } },
  },
  {
    what: "presses a button",
    act: (wamid) => ({ kind: "press", wamid, answer: "button_reply", value: "y", title: "Yes" }),
    shown: { type: "interactive", bubble: { text: "Yes" } },
  },
  {
    what: "chooses a row of a list",
    act: (wamid) => ({
      kind: "press",
      wamid,
      answer: "list_reply",
      value: "1",
      title: "One",
      description: "first",
    }),
    shown: { type: "interactive", bubble: { text: "One", footer: "first" } },
  },
  {
    what: "sends a location",
    act: (quotes) => ({ kind: "location", latitude: 52.5, longitude: 13.4, name: "Home", quotes }),
    shown: { type: "location", bubble: { location: { latitude: 52.5, longitude: 13.4, name: "Home" } } },
  },
];

test.each(acts)("the customer $what, which quotes the message", async ({ act: what, shown }) => {
  const phone = world.newPhone();
  const wamid = await world.send(phone.customer, hello);
  await act(phone, what(wamid));
  expect((await messagesOn(phone)).at(-1)).toMatchObject({ from: "customer", quotes: wamid, ...shown });
});

test("the customer sends a file, a contact card, a new number and a preference", async () => {
  const phone = world.newPhone();
  await act(phone, { kind: "file", name: "voice", type: "audio", mimeType: "audio/ogg; codecs=opus" });
  await act(phone, { kind: "contact", name: "Ada", number: "+49 30 123456" });
  await act(phone, { kind: "preference", value: "stop" });
  await act(phone, { kind: "change_number", number: "+49 151 00000001" });
  expect(await messagesOn(phone)).toMatchObject([
    { type: "audio", bubble: { media: { kind: "audio", is_voice: true } } },
    { type: "contacts", bubble: { contacts: [{ name: "Ada", phones: ["+49 30 123456"] }] } },
    { from: "note" },
    { from: "note", new_number: "4915100000001" },
  ]);
});

test("the customer reacts, takes the reaction back, and reads", async () => {
  const phone = world.newPhone();
  const wamid = await world.send(phone.customer, hello);
  await act(phone, { kind: "reaction", wamid, emoji: "👍" });
  expect(await messagesOn(phone)).toMatchObject([{ reactions: { customer: "👍", business: null } }]);
  await act(phone, { kind: "reaction", wamid, emoji: "" });
  expect(await messagesOn(phone)).toMatchObject([{ reactions: { customer: null } }]);
  await expect(act(phone, { kind: "read" })).resolves.toEqual({ done: true });
});

test("an act is refused with its field, with the simulator's reason, and to keys", async () => {
  const phone = world.newPhone();
  expect(await codeOf(act(phone, { kind: "change_number", number: "soon" }))).toBe("validation_failed");
  expect(await codeOf(act(phone, { kind: "change_number", number: phone.customer }))).toBe(
    "validation_failed",
  );
  const unknown = act(phone, { kind: "file", name: "nothing", type: "image", mimeType: "image/png" });
  await expect(unknown).rejects.toThrow(/The simulator refused this: demo_file/);
  const key = await asKey(world.ctx);
  const asking = actOnPhone({ ctx: key, input: { ...phone, act: { kind: "read" } } });
  expect(await codeOf(asking)).toBe("permission_denied");
});
