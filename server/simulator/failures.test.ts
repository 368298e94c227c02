import { expect, test } from "vitest";
import { documentedError, documentedErrorNames, type DocumentedErrorName } from "./graph-errors";
import type { Simulator } from "./start";
import {
  call,
  ledgerOf,
  numberFor,
  phoneNumberId,
  putNumbers,
  send,
  startForTest,
  startWithReceiver,
  textMessage,
  type Answer,
} from "./testing";

const to = "4915112345678";
const headers = { authorization: "Bearer token-of-the-test" };

function setFailure(simulator: Simulator, error: DocumentedErrorName | null): Promise<Answer> {
  return call(simulator, "PUT", `/simulator/numbers/${phoneNumberId}/failure`, { error });
}

function getNumber(simulator: Simulator): Promise<Answer> {
  return call(simulator, "GET", `/v24.0/${phoneNumberId}?fields=status`, undefined, headers);
}

test("a number fails with every documented error until it is cleared, and only it", async () => {
  const { simulator, receiver } = await startWithReceiver();
  await putNumbers(simulator, [numberFor(receiver.url, { phone_number_id: "222" })]);
  for (const error of documentedErrorNames()) {
    const { code, httpStatus } = documentedError(error);
    expect(await setFailure(simulator, error)).toEqual({
      status: 200,
      body: { phone_number_id: phoneNumberId, error },
    });
    expect(await send(simulator, textMessage(to))).toMatchObject({
      status: httpStatus,
      body: { error: { code } },
    });
    expect((await send(simulator, textMessage(to), { numberId: "222" })).status).toBe(200);
  }
  await setFailure(simulator, null);
  expect((await send(simulator, textMessage(to))).status).toBe(200);
  const { messages } = await ledgerOf(simulator, `?phone_number_id=${phoneNumberId}`);
  expect(messages).toHaveLength(1);
});

test("an error of the token fails everything else of the number too, any other error doesn't", async () => {
  const { simulator } = await startWithReceiver();
  for (const error of documentedErrorNames()) {
    const { code, isCredential, numberStatus } = documentedError(error);
    await setFailure(simulator, error);
    const templates = "/v24.0/102290129340398/message_templates";
    const answers = [
      await getNumber(simulator),
      await call(simulator, "GET", templates, undefined, headers),
      await call(simulator, "POST", `/v24.0/${phoneNumberId}/media`, "{}", headers),
    ];
    const codes = answers.map(({ body }) => (body as { error?: { code: number } }).error?.code);
    expect([error, ...codes]).toEqual(
      isCredential ? [error, code, code, code] : [error, undefined, undefined, 100],
    );
    if (isCredential) continue;
    expect(answers[0]?.body).toEqual({ id: phoneNumberId, status: numberStatus ?? "CONNECTED" });
  }
  await setFailure(simulator, null);
  expect((await getNumber(simulator)).body).toEqual({ id: phoneNumberId, status: "CONNECTED" });
});

test("a failure outlives a restart and new settings of the number", async () => {
  const { simulator, receiver, directory } = await startWithReceiver();
  await setFailure(simulator, "payment_required");
  await simulator.stop();
  const again = await startForTest(directory);
  await putNumbers(again, [numberFor(receiver.url)]);
  expect(await send(again, textMessage(to))).toMatchObject({ body: { error: { code: 131042 } } });
  await setFailure(again, null);
  expect((await send(again, textMessage(to))).status).toBe(200);
});

test("an unknown error or number is refused", async () => {
  const { simulator } = await startWithReceiver();
  const put = (id: string, error: string) =>
    call(simulator, "PUT", `/simulator/numbers/${id}/failure`, { error });
  expect(await put(phoneNumberId, "constructor")).toMatchObject({
    status: 400,
    body: { error: { field: "error" } },
  });
  expect(await put("404", "payment_required")).toMatchObject({
    status: 400,
    body: { error: { field: "phone_number_id" } },
  });
});
