import type { ApiRequest } from "@/e2e/support/api";
import type { World } from "./world";

type Json = Readonly<Record<string, unknown>>;
type KeyName = keyof World["keys"];

/** Calls with the key that may manage webhooks, by default. */
export function client({ api, keys }: World, key: KeyName = "webhooksOnly") {
  const { secret } = keys[key];
  const call = async (request: Omit<ApiRequest, "key">) => api.call({ ...request, key: secret });
  return {
    call,
    async create(json: Json): Promise<{ id: string; secret: string } & Json> {
      const answer = await call({ path: "/webhooks", json });
      if (answer.status !== 201) throw new Error(`No endpoint was made: ${answer.status} ${answer.text}`);
      return JSON.parse(answer.text);
    },
    remove: (id: string) => call({ method: "DELETE", path: `/webhooks/${id}` }),
  };
}

/** Creates an endpoint for the test and removes it afterwards, because an organization can't have many. */
export async function withEndpoint(
  world: World,
  json: Json,
  work: (
    endpoint: { id: string; secret: string } & Json,
    call: ReturnType<typeof client>["call"],
  ) => Promise<void>,
): Promise<void> {
  const { create, remove, call } = client(world);
  const endpoint = await create(json);
  try {
    await work(endpoint, call);
  } finally {
    await remove(endpoint.id);
  }
}
