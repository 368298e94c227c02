import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { connectTestChannel, TEST_SECRET } from "@/server/domain/organizations/testing";
import { checkUpstream } from "./check-upstream";
import type { UsableInstallation } from "./installation";
import { about, type DoctorWorld, openDoctorWorld } from "./testing";

let world: DoctorWorld;
beforeAll(async () => void (world = await openDoctorWorld(TEST_SECRET)));
afterAll(() => world.close());
beforeEach(async () => {
  world.upstream.letNumberBeRead(true);
  await world.database.sql`update channels set disabled_at = now()`;
});

async function examined(changes: Partial<UsableInstallation> = {}) {
  const channelId = await connectTestChannel(world.ctx);
  const look = async () =>
    about(await checkUpstream({ ...world.installation, ...changes }), `channel ${channelId} (Test channel)`);
  return { channelId, look };
}

test("no channel at all is pointed out", async () => {
  expect(await checkUpstream(world.installation)).toMatchObject([{ what: "channels", state: "warn" }]);
});

describe("a channel", () => {
  test("whose number is readable with its token is well", async () => {
    const { look } = await examined();
    expect(await look()).toMatchObject({ state: "ok", seen: "its number can be read: +1 555 0100" });
  });

  test("whose token is refused fails, in the upstream's words, without the token", async () => {
    world.upstream.letNumberBeRead(false);
    const { look } = await examined();
    const finding = await look();
    expect(finding).toMatchObject({
      state: "fail",
      seen: "its number can't be read: (#190) Expired",
      remedy: expect.stringContaining("new token"),
    });
    expect(JSON.stringify(finding)).not.toContain("test-access-token");
  });

  test("whose upstream can't be reached fails", async () => {
    const { look } = await examined({ simulatorUrl: "http://127.0.0.1:1" });
    expect(await look()).toMatchObject({ state: "fail", seen: expect.stringContaining("ECONNREFUSED") });
  });

  test("that is paused fails with reason and remedy, readable or not", async () => {
    const { channelId, look } = await examined();
    await world.database.sql`
      update channels set paused_at = '2026-01-02T03:04:05Z', pause_reason = 'payment_required' where id = ${channelId}`;
    const why =
      /^paused since 2026-01-02T03:04:05\.000Z \(payment_required\)\. Meta has no working payment method/;
    expect(await look()).toMatchObject({
      state: "fail",
      seen: expect.stringMatching(why),
      remedy: `Correct the payment method in Meta's billing settings. Waypost resumes the channel automatically when the problem is fixed. \`channel resume ${channelId}\` ends the pause immediately.`,
    });
    world.upstream.letNumberBeRead(false);
    expect(await look()).toMatchObject({ state: "fail", seen: expect.stringMatching(why) });
  });

  test("whose token was encrypted under another secret fails; without a secret it isn't asked", async () => {
    const { channelId, look } = await examined();
    await world.database.sql`
      update channels set access_token_encrypted = ${world.services.vault.encrypt("t", "another purpose")} where id = ${channelId}`;
    expect(await look()).toMatchObject({
      state: "fail",
      seen: "the channel's access token can't be decrypted",
    });
    const without = await examined({ vault: null });
    expect(await without.look()).toMatchObject({ state: "warn", seen: expect.stringContaining("not asked") });
  });

  test("that is simulated is only pointed out where no simulator runs", async () => {
    const { look } = await examined({ simulatorUrl: null });
    expect(await look()).toMatchObject({ state: "warn", seen: "no simulator is running" });
  });

  test("that there is no time for is said to be unasked; a disabled one isn't listed", async () => {
    const { look } = await examined();
    expect((await look()).state).toBe("ok");
    const findings = await checkUpstream(world.installation, 0);
    expect(findings).toMatchObject([{ state: "warn", seen: "not asked: there was no time left" }]);
  });
});
