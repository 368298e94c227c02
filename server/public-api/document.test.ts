import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { appRouter } from "../api/router";
import { createKey } from "../keys/create";
import { MESSAGE_TYPES } from "../messages/content-rules";
import { addTemplate, openConversation, openSendWorld, type SendWorld } from "../messages/testing";
import { openApiDocument } from "./document";
import { createPublicHandler } from "./handle";
import { fetchMount } from "./mounts";

interface Example {
  readonly summary: string;
  readonly value: Readonly<Record<string, unknown>>;
}

let world: SendWorld;
let secret: string;

beforeAll(async () => {
  world = await openSendWorld();
  ({ secret } = await createKey({ ctx: world.ctx, input: { name: "Key" } }));
});
afterAll(() => world.close());

/** The examples of POST /messages, as a reader of the document finds them. */
function examplesOfSend(): Readonly<Record<string, Example>> {
  const path = ["paths", "/messages", "post", "requestBody", "content", "application/json", "examples"];
  const found = path.reduce<unknown>((part, name) => Object(part)[name], openApiDocument(appRouter));
  return Object(found);
}

describe("the examples of POST /messages", () => {
  test("are one for each type", () => {
    const types = Object.entries(examplesOfSend()).map(([name, { value }]) => [name, value.type]);
    expect(types).toEqual(MESSAGE_TYPES.map((type) => [type, type]));
  });

  test.each(MESSAGE_TYPES)("are accepted as they stand: %s", async (type) => {
    const example = examplesOfSend()[type];
    const { handle } = Object(example?.value.to);
    await openConversation(world.ctx, world.channelId, handle);
    const { name, language, variables = {} } = Object(example?.value.template);
    await addTemplate(world.ctx, world.channelId, { name, language, variables: Object.keys(variables) });
    const answer = await fetchMount(createPublicHandler(world.services, appRouter))(
      new Request("http://localhost/api/public/v1/messages", {
        method: "POST",
        headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
        body: JSON.stringify(example?.value),
      }),
    );
    expect(await answer.json()).toMatchObject({
      client_message_id: example?.value.client_message_id,
      deduplicated: false,
    });
  });
});
