import { expect, test } from "vitest";
import { documentedError, documentedErrorNames } from "./graph-errors";
import { eventually } from "../../e2e/support/eventually";
import { ledgerOf, owedTotal, send, startWithReceiver, textMessage, type Answer } from "./testing";

/** Every code of the errors that Meta documents for a send. 200 and 299 stand for the codes between them. */
const documentedCodes = [
  0, 1, 2, 3, 4, 10, 33, 100, 190, 200, 299, 368, 80007, 130403, 130429, 130472, 130497, 131000, 131005,
  131008, 131009, 131016, 131021, 131026, 131030, 131031, 131042, 131045, 131047, 131048, 131049, 131050,
  131051, 131052, 131053, 131056, 131057, 131062, 131064, 132000, 132001, 132005, 132007, 132012, 132015,
  132016, 132018, 133004, 133006, 133010, 135000, 137000, 199999,
];

const rows = documentedErrorNames().map(documentedError);
const recipientOf = (prefix: string, digits: string) => `491512${prefix}${digits}`;

function codeOf({ body }: Answer): unknown {
  return (body as { error?: { code: number } }).error?.code;
}

test("every documented code has a row of two digits of its own", () => {
  expect(rows.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual(documentedCodes);
  for (const { digits } of rows) expect(digits).toMatch(/^[0-9]{2}$/);
  expect(new Set(rows.map(({ digits }) => digits)).size).toBe(rows.length);
});

test("991: every documented error refuses the call, again and again", async () => {
  const { simulator } = await startWithReceiver();
  for (const _ of [1, 2]) {
    const answers = await Promise.all(
      rows.map(async ({ digits }) => {
        const answer = await send(simulator, textMessage(recipientOf("991", digits), digits));
        return [digits, answer.status, codeOf(answer)];
      }),
    );
    expect(answers).toEqual(rows.map(({ digits, httpStatus, code }) => [digits, httpStatus, code]));
  }
  const { messages, calls } = await ledgerOf(simulator);
  expect(messages).toEqual([]);
  expect(calls).toHaveLength(2 * rows.length);
  expect(await owedTotal(simulator)).toBe(0);
});

test.each([
  { prefix: "992", named: true },
  { prefix: "993", named: false },
])("$prefix: errors that come later fail an accepted message, named: $named", async ({ prefix, named }) => {
  const later = rows.filter(({ comesLater }) => comesLater);
  const { simulator, receiver } = await startWithReceiver();
  for (const { digits } of later) {
    expect((await send(simulator, textMessage(recipientOf(prefix, digits), digits))).status).toBe(200);
  }
  await eventually(async () => expect(await owedTotal(simulator)).toBe(0));
  const failures = receiver.statuses().map((status) => ({
    recipient: status.recipient_id,
    status: status.status,
    code: status.errors?.[0]?.code,
    data: status.biz_opaque_callback_data,
  }));
  const expected = later.map(({ digits, code }) => ({
    recipient: recipientOf(prefix, digits),
    status: "failed",
    code,
    data: named ? digits : undefined,
  }));
  expect(failures.toSorted(byRecipient)).toEqual(expected.toSorted(byRecipient));
});

test.each([
  { prefix: "994", times: 1 },
  { prefix: "995", times: 2 },
  { prefix: "996", times: 3 },
])("$prefix: errors that pass refuse the first $times calls and then the message is read", async (row) => {
  const { prefix, times } = row;
  const passing = rows.filter(({ passes }) => passes);
  const { simulator, receiver } = await startWithReceiver();
  await Promise.all(
    passing.map(async ({ digits, httpStatus, code }) => {
      const message = textMessage(recipientOf(prefix, digits), digits);
      for (let refusals = 0; refusals < times; refusals += 1) {
        const answer = await send(simulator, message);
        expect([digits, answer.status, codeOf(answer)]).toEqual([digits, httpStatus, code]);
      }
      expect((await send(simulator, message)).status).toBe(200);
    }),
  );
  await eventually(async () => expect(await owedTotal(simulator)).toBe(0));
  expect(receiver.statuses()).toHaveLength(3 * passing.length);
  expect((await ledgerOf(simulator)).messages).toHaveLength(passing.length);
});

function byRecipient(left: { recipient: string }, right: { recipient: string }): number {
  return left.recipient.localeCompare(right.recipient);
}
