import { describe, expect, test } from "vitest";
import { DISABLE_AFTER_MS, type Health, healthAfter, HEALTHY, type Trial } from "./health";

const NOW = new Date("2026-11-22T12:00:00Z");
const HOUR_MS = 3_600_000;
const ago = (ms: number) => new Date(NOW.getTime() - ms);

function trial(errorClass: Trial["attemptResult"]["errorClass"], startedAt = NOW): Trial {
  const backsOff = errorClass !== null && !["status", "redirect", "gone"].includes(errorClass);
  const nothing = { httpStatus: null, answer: null, durationMs: 1, retryAfterSeconds: null };
  return {
    startedAt,
    attemptResult: { ...nothing, errorClass, backsOff, isOverloaded: errorClass === "timeout" },
  };
}

const failing = (fields: Partial<Health>): Health => ({ ...HEALTHY, ...fields });

describe("failing", () => {
  test("begins with the first failure, and goes on with the next ones", () => {
    expect(healthAfter(HEALTHY, [trial("status")], NOW).health).toMatchObject({
      failingSince: NOW,
      lastFailedAt: NOW,
    });
    const since = ago(HOUR_MS / 2);
    const { health } = healthAfter(
      failing({ failingSince: since, lastFailedAt: since }),
      [trial("status")],
      NOW,
    );
    expect(health).toMatchObject({ failingSince: since, lastFailedAt: NOW });
  });

  test("ends with any success, also beside failures", () => {
    const before = failing({ failingSince: ago(DISABLE_AFTER_MS), lastFailedAt: ago(1), backoffStreak: 3 });
    const after = healthAfter(before, [trial("timeout"), trial(null)], NOW);
    expect(after).toEqual({ health: HEALTHY, isWarning: false, disabling: null });
  });

  test("is told once, when it has lasted for an hour", () => {
    const since = ago(HOUR_MS);
    const early = healthAfter(
      failing({ failingSince: ago(HOUR_MS - 1), lastFailedAt: since }),
      [trial("status")],
      NOW,
    );
    expect(early.isWarning).toBe(false);
    const first = healthAfter(failing({ failingSince: since, lastFailedAt: since }), [trial("status")], NOW);
    expect(first).toMatchObject({ isWarning: true, health: { warnedAt: NOW }, disabling: null });
    expect(healthAfter(first.health, [trial("status")], NOW).isWarning).toBe(false);
  });

  test("for five days disables", () => {
    const before = (ms: number) =>
      failing({ failingSince: ago(ms), lastFailedAt: ago(HOUR_MS), warnedAt: ago(HOUR_MS) });
    expect(healthAfter(before(DISABLE_AFTER_MS - 1), [trial("status")], NOW).disabling).toBeNull();
    expect(healthAfter(before(DISABLE_AFTER_MS), [trial("status")], NOW).disabling).toBe("failing");
  });

  test("begins anew where nothing was tried for longer than the schedule ever waits", () => {
    const before = failing({
      failingSince: ago(9 * DISABLE_AFTER_MS),
      lastFailedAt: ago(61 * HOUR_MS),
      warnedAt: ago(1),
    });
    const after = healthAfter(before, [trial("status")], NOW);
    expect(after).toMatchObject({ disabling: null, health: { failingSince: NOW, warnedAt: null } });
  });
});

test("410 disables at once", () => {
  expect(healthAfter(HEALTHY, [trial("gone")], NOW).disabling).toBe("gone");
});

describe("the back-off", () => {
  test("begins where the endpoint can't be reached", () => {
    const { health } = healthAfter(HEALTHY, [trial("connection")], NOW);
    expect(health).toMatchObject({ backoffStreak: 1, backoffSetAt: NOW });
    const waitMs = (health.backoffUntil?.getTime() ?? 0) - NOW.getTime();
    expect(waitMs).toBeGreaterThanOrEqual(4_000);
    expect(waitMs).toBeLessThanOrEqual(6_000);
  });

  test("isn't lengthened by what was tried together, or before it began", () => {
    const together = healthAfter(HEALTHY, [trial("connection", ago(10)), trial("connection", ago(5))], NOW);
    expect(together.health.backoffStreak).toBe(1);
    const later = new Date(NOW.getTime() + 1_000);
    expect(healthAfter(together.health, [trial("connection", ago(1))], later).health).toMatchObject({
      backoffStreak: 1,
      backoffUntil: together.health.backoffUntil,
    });
    const probe = healthAfter(together.health, [trial("connection", new Date(NOW.getTime() + 1))], later);
    expect(probe.health).toMatchObject({ backoffStreak: 2, backoffSetAt: later });
  });

  test("ends with an answer, whichever: the endpoint can be reached", () => {
    const before = failing({
      failingSince: ago(1),
      backoffStreak: 4,
      backoffUntil: NOW,
      backoffSetAt: ago(1),
    });
    const { health } = healthAfter(before, [trial("status")], NOW);
    expect(health).toMatchObject({ backoffStreak: 0, backoffUntil: null, failingSince: ago(1) });
  });
});
