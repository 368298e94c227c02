import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { z } from "zod";
import { openApi } from "@/e2e/support/api";
import { type Customers, makeCustomers } from "@/e2e/support/customers";
import { type Farm, openFarm } from "@/e2e/support/farm";
import { customerSends, fileOnPhone, phoneOf } from "@/e2e/support/simulator";
import { until } from "@/e2e/support/until";
import { startS3 } from "@/server/adapters/files/testing";
import { SAMPLES } from "@/server/domain/uploads/testing";

const ROLES = ["api", "jobs"] as const;
const [API, JOBS] = [0, 1] as const;
/** Credentials of the S3 server of tests. */
const CREDENTIALS = { AWS_ACCESS_KEY_ID: "S3RVER", AWS_SECRET_ACCESS_KEY: "S3RVER" } as const;

let s3: Awaited<ReturnType<typeof startS3>>;
let farm: Farm;
let customers: Customers;

beforeAll(async () => {
  s3 = await startS3();
  // Commands run in this process.
  for (const [name, value] of Object.entries(CREDENTIALS)) vi.stubEnv(name, value);
  const { bucket, prefix, endpoint } = s3.config;
  const env = { ...CREDENTIALS, WAYPOST_UPLOADS: `s3://${bucket}/${prefix}?endpoint=${endpoint}` };
  farm = await openFarm({ roles: ROLES, hasOwnDisks: true, env });
  customers = await makeCustomers(farm.process(API), 1);
});
afterAll(async () => {
  await farm?.close();
  await s3?.close();
  vi.unstubAllEnvs();
});

const uploadAnswer = z.object({ storage_key: z.string() });
const messagesAnswer = z.object({ data: z.array(z.object({ message_id: z.string() })) });

function phone() {
  const { phoneNumberId, handles } = customers;
  return { phoneNumberId, from: handles[0] ?? "" };
}

/** Returns the names of files below a directory of the process. */
async function filesOf(place: number, directory: string): Promise<string[]> {
  const path = join(farm.process(place).dataDir, directory);
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

test("a file that one machine received is sent by another, and no machine keeps it", async () => {
  const api = await openApi(farm.process(API).baseUrl);
  const { secret: key } = customers;
  const uploaded = await api.call({ path: "/uploads", key, raw: SAMPLES.png });
  expect(uploaded.status).toBe(201);
  const { storage_key: storageKey } = uploadAnswer.parse(uploaded.body);
  const to = { kind: "whatsapp", handle: phone().from };
  const message = { client_message_id: "picture", type: "image", to, media: { storage_key: storageKey } };
  expect((await api.call({ path: "/messages", key, json: message })).status).toBe(201);
  const id = await until("the picture is on the phone", async () => {
    const shown = await phoneOf(farm.simulator.url, phone());
    return shown.find(({ from, type }) => from === "business" && type === "image")?.bubble.media?.id;
  });
  const { phoneNumberId } = phone();
  expect(await fileOnPhone(farm.simulator.url, { phoneNumberId, id })).toEqual(SAMPLES.png);
  for (const place of [API, JOBS]) expect(await filesOf(place, "uploads")).toEqual([]);
});

test("a customer's file that one machine fetched is read from another", async () => {
  const api = await openApi(farm.process(API).baseUrl);
  const { secret: key } = customers;
  await customerSends(farm.simulator.url, {
    ...phone(),
    type: "document",
    content: { mime_type: "application/pdf", filename: "invoice.pdf" },
  });
  const file = await until("the file is there", async () => {
    const listed = await api.call({ path: "/messages?direction=inbound&limit=1", key });
    const [newest] = messagesAnswer.parse(listed.body).data;
    const answer = await api.callUnchecked({ path: `/messages/${newest?.message_id}/media`, key });
    return answer.status === 200 ? answer : null;
  });
  expect(file.headers["content-type"]).toBe("application/pdf");
  expect(file.text).toMatch(/^%PDF/);
  for (const place of [API, JOBS]) expect(await filesOf(place, "uploads")).toEqual([]);
});
