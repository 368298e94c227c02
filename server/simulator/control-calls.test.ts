import { expect, test } from "vitest";
import { controlCalls } from "./control";
import { call, phoneNumberId, startWithReceiver } from "./testing";

const headers = { authorization: "Bearer token-of-the-test" };

test("every call works as the documentation shows it", async () => {
  const { simulator } = await startWithReceiver();
  const template = {
    name: "order_sent",
    language: "en_US",
    category: "UTILITY",
    components: [{ type: "BODY", text: "Hello" }],
  };
  await call(simulator, "POST", "/v24.0/102290129340398/message_templates", template, headers);
  const form = new FormData();
  form.set("messaging_product", "whatsapp");
  form.set("file", new Blob(["a"], { type: "text/plain" }), "a.txt");
  const upload = await fetch(`${simulator.url}/v24.0/${phoneNumberId}/media`, {
    method: "POST",
    headers,
    body: form,
  });
  const { id } = (await upload.json()) as { id: string };

  const statuses: unknown[] = [];
  for (const { method, path, example } of controlCalls) {
    const filled = path.replace("{phone_number_id}", phoneNumberId).replace("{media_id}", id);
    const body = JSON.stringify(example)
      .replaceAll("PHONE_NUMBER_ID", phoneNumberId)
      .replaceAll("TEMPLATE", template.name);
    const answer = await call(simulator, method, filled, example === null ? undefined : body);
    statuses.push([method, path, answer.status]);
  }
  expect(statuses).toEqual(controlCalls.map(({ method, path }) => [method, path, 200]));
});

test("every description is one sentence", () => {
  for (const { description } of controlCalls) expect(description).toMatch(/^[A-Z].*[^.]\.$/);
});
