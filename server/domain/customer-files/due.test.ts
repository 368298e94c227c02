import { afterAll, beforeAll, expect, test } from "vitest";
import { until } from "@/e2e/support/until";
import { servicesWith } from "@/server/core/testing";
import { connectTestChannel, openTestWorld, type TestWorld } from "@/server/domain/organizations/testing";
import { SAMPLES } from "@/server/domain/uploads/testing";
import { fetchDueFile, notifyDueFiles } from "./fetch";
import { givingBytes, type MediaHost, openFilesOrganization, receiveFile, startMediaHost } from "./testing";

let world: TestWorld;
let host: MediaHost;
beforeAll(async () => {
  world = await openTestWorld({ database: "own" });
  host = await startMediaHost();
});
afterAll(async () => {
  await host.close();
  await world.close();
});

test("no more files are notified than a process can download, and every channel gets its share", async () => {
  const { ctx } = await openFilesOrganization(world, host);
  const notified: string[] = [];
  const services = servicesWith(ctx.services, {
    jobs: { ...ctx.services.jobs, notifyFile: (id) => void notified.push(id) },
  });
  const channelOf = new Map<string, string>();
  /** Makes files due, and returns their ids. */
  const addChannel = async (files: number) => {
    const channelId = await connectTestChannel(ctx, true);
    const received = await Promise.all(Array.from({ length: files }, () => receiveFile(ctx, channelId)));
    for (const { fileId } of received) channelOf.set(fileId, channelId);
    return { channelId, fileIds: received.map(({ fileId }) => fileId) };
  };
  const [first, second] = [await addChannel(9), await addChannel(9)];
  /** Notifies, and returns how many files of each of the channels. */
  const notify = async (...channels: readonly { channelId: string }[]) => {
    notified.length = 0;
    await notifyDueFiles(services);
    return channels.map(({ channelId }) => notified.filter((id) => channelOf.get(id) === channelId).length);
  };
  expect(await notify(first, second)).toEqual([8, 8]);

  let finish: () => void = () => undefined;
  const finished = new Promise<void>((resolve) => (finish = resolve));
  host.serve((res, req) => void finished.then(() => givingBytes(SAMPLES.png)(res, req)));
  const running = first.fileIds.slice(0, 7).map((fileId) => fetchDueFile(services, fileId));
  await until("seven downloads run", () => host.downloads() === 7);
  // 9 more are possible. The first channel has 7 downloads: the others come before it.
  const third = await addChannel(3);
  expect(await notify(first, second, third)).toEqual([0, 6, 3]);
  finish();
  await Promise.all(running);
});
