import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { z } from "zod";
import { MESSAGE_EXAMPLE } from "@/server/domain/messages/model/schemas";
import { SAMPLES } from "@/server/domain/uploads/testing";
import { type Api, openApi } from "./api";
import { createKey, demo } from "./cli";
import { samplesOf } from "./page-samples";
import { REPOSITORY } from "./program";
import { askSharedServer, type SharedServer } from "./shared-server";
import { customerSends } from "./simulator";
import { until } from "./until";
import { SCOPE_NAMES } from "@/server/core/capabilities";

/** A sample of the reference, with the values of an organization in place of those of the examples. */
export interface ReferenceSample {
  readonly operationId: string;
  readonly language: string;
  readonly text: string;
  /** Variables that it reads. */
  readonly env: NodeJS.ProcessEnv;
}

/** An organization in which the samples of the API reference work, and a directory to run them in. */
export interface ReferenceSamples {
  readonly server: SharedServer;
  readonly api: Api;
  /** Contains the file that a sample uploads, and a `curl`. */
  readonly directory: string;
  readonly samples: readonly ReferenceSample[];
  close(): Promise<void>;
}

const idSchema = z.object({ id: z.guid() });
const inboundSchema = z.object({
  data: z.array(
    z.object({
      message_id: z.guid(),
      type: z.string(),
      content: z.object({ media: z.object({ size: z.int().nullable() }).optional() }).nullable(),
    }),
  ),
});
const deliveriesSchema = z.object({ data: z.array(idSchema) });

export async function openReferenceSamples(): Promise<ReferenceSamples> {
  const server = await askSharedServer();
  const api = await openApi(server.baseUrl);
  const { organization_id, contacts, templates, phone_number_ids } = await demo(server);
  const { secret: key } = await createKey(server, organization_id, { scopes: SCOPE_NAMES });
  const { handle } = contacts.open_window;
  const { name, language } = templates.approved;
  const subjects = await createSubjects(api, key, handle);
  const withValues = (sample: string) =>
    sample
      .replaceAll("4915112345678", handle)
      .replaceAll("order_shipped", name)
      .replaceAll("en_US", language)
      .replaceAll(EXAMPLE_ID, subjects.MESSAGE_ID);

  const directory = await createDirectory();
  const env = {
    ...process.env,
    PATH: `${directory}${delimiter}${process.env.PATH ?? ""}`,
    WAYPOST_URL: server.baseUrl,
    WAYPOST_KEY: key,
    ...subjects,
  };
  const inbound = {
    MESSAGE_ID: await createInbound(server, api, key, {
      phoneNumberId: phone_number_ids.default,
      from: handle,
    }),
  };
  const found = [...(await samplesOf(`${server.baseUrl}/docs/api`))];
  const samples = found.map(async ([title, sample]) => {
    const [, operationId = "", of = ""] = /^(\w+)(?:-\w+)?:(\w+)$/.exec(title) ?? [];
    // What one sample deletes, others need.
    const own = operationId === "deleteWebhook" ? { WEBHOOK_ID: await createEndpoint(api, key) } : {};
    const named = { ...own, ...(OF_CUSTOMERS.has(operationId) ? inbound : {}) };
    return { operationId, language: of, text: withValues(sample), env: { ...env, ...named } };
  });
  return {
    server,
    api,
    directory,
    samples: await Promise.all(samples),
    close: () => rm(directory, { recursive: true }),
  };
}

/** The message that examples quote and react to. */
const EXAMPLE_ID = MESSAGE_EXAMPLE.message_id;
/** Operations about a message that a customer wrote. */
const OF_CUSTOMERS = new Set(["getMessageMedia", "markMessageRead"]);

/** A customer sends an image. @returns the message's id, once its file is stored. */
async function createInbound(
  server: SharedServer,
  api: Api,
  key: string,
  customer: { phoneNumberId: string; from: string },
): Promise<string> {
  await customerSends(server.simulatorUrl, {
    ...customer,
    type: "image",
    content: { mime_type: "image/png" },
  });
  return until("the customer's image is stored", async () => {
    const { body } = await api.call({ path: "/messages?direction=inbound&limit=100", key });
    const images = inboundSchema.parse(body).data.filter(({ type }) => type === "image");
    return images.find(({ content }) => content?.media?.size)?.message_id;
  });
}

async function createDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "waypost-reference-"));
  await writeFile(join(directory, "parcel.jpg"), SAMPLES.jpeg);
  await writeFile(
    join(directory, "curl"),
    `#!/bin/sh\nexec node "${REPOSITORY}/e2e/support/curl.mjs" "$@"\n`,
  );
  await chmod(join(directory, "curl"), 0o755);
  return directory;
}

/** Creates what paths of samples name. @returns their ids, by the variables that samples read. */
async function createSubjects(api: Api, key: string, handle: string) {
  const webhookId = await createEndpoint(api, key);
  const text = { client_message_id: "reference", type: "text", text: { body: "For a delivery" } };
  const sent = await api.call({
    path: "/messages",
    key,
    json: { ...text, to: { kind: "whatsapp", handle } },
  });
  const deliveryId = await until("the endpoint has a delivery", async () => {
    const { body } = await api.call({ path: `/webhooks/${webhookId}/deliveries`, key });
    return deliveriesSchema.parse(body).data[0]?.id;
  });
  const ids = z.object({ message_id: z.guid(), thread_id: z.guid(), contact_id: z.guid() }).parse(sent.body);
  return {
    MESSAGE_ID: ids.message_id,
    THREAD_ID: ids.thread_id,
    CONTACT_ID: ids.contact_id,
    WEBHOOK_ID: webhookId,
    DELIVERY_ID: deliveryId,
  };
}

async function createEndpoint(api: Api, key: string): Promise<string> {
  const { body } = await api.call({ path: "/webhooks", key, json: { url: "https://shop.example/hooks" } });
  return idSchema.parse(body).id;
}
