import { describe, expect, test } from "vitest";
import { HOUR_MS, isZone, pointAt, pointsOf, previousOf } from "./points";

const at = (text: string) => new Date(text);

/** Returns the lengths of the points in hours. */
function hoursOf({ starts, until }: ReturnType<typeof pointsOf>): number[] {
  return starts.map((start, index) => ((starts[index + 1] ?? until).getTime() - start.getTime()) / HOUR_MS);
}

describe("the points of a range", () => {
  test.each([
    ["24h", 24],
    ["7d", 168],
  ] as const)("of %s are its hours, the present one last", (range, count) => {
    const points = pointsOf(range, "Asia/Kolkata", at("2026-03-10T10:20:00Z"));
    expect(hoursOf(points)).toEqual(Array.from({ length: count }, () => 1));
    expect(points.starts.at(-1)).toEqual(at("2026-03-10T10:00:00Z"));
  });

  test("by the day begin at midnight of the zone, today last and not over", () => {
    const points = pointsOf("30d", "Europe/Berlin", at("2026-02-10T22:30:00Z"));
    expect(points.starts).toHaveLength(30);
    expect(points.starts.at(-1)).toEqual(at("2026-02-09T23:00:00Z"));
    expect(points.starts[0]).toEqual(at("2026-01-11T23:00:00Z"));
    expect(points.until).toEqual(at("2026-02-10T23:00:00Z"));
    expect(new Set(hoursOf(points))).toEqual(new Set([24]));
  });

  test.each([
    ["just before midnight", "2026-02-10T22:59:59.999Z", "2026-02-09T23:00:00Z"],
    ["at midnight", "2026-02-10T23:00:00Z", "2026-02-10T23:00:00Z"],
  ])("change the day %s of the zone", (_, now, last) => {
    expect(pointsOf("30d", "Europe/Berlin", at(now)).starts.at(-1)).toEqual(at(last));
  });

  test("have 23 and 25 hours where clocks change", () => {
    const spring = pointsOf("30d", "Europe/Berlin", at("2026-04-05T12:00:00Z"));
    const dayOf = (points: typeof spring, start: string) =>
      hoursOf(points)[points.starts.findIndex((one) => one.getTime() === at(start).getTime())];
    expect(dayOf(spring, "2026-03-28T23:00:00Z")).toBe(23);
    const autumn = pointsOf("90d", "Europe/Berlin", at("2026-11-20T12:00:00Z"));
    expect(dayOf(autumn, "2026-10-24T22:00:00Z")).toBe(25);
    expect(autumn.starts).toHaveLength(90);
  });

  test.each(["UTC", "America/St_Johns", "Pacific/Kiritimati", "Pacific/Pago_Pago", "Australia/Lord_Howe"])(
    "in %s are as many days as were asked for, without a gap",
    (zone) => {
      for (const month of ["01", "04", "07", "10", "12"]) {
        const now = at(`2026-${month}-08T11:45:00Z`);
        const points = pointsOf("90d", zone, now);
        expect(points.starts).toHaveLength(90);
        const hours = hoursOf(points).slice(0, -1);
        expect(Math.min(...hours)).toBeGreaterThanOrEqual(23);
        expect(Math.max(...hours)).toBeLessThanOrEqual(25);
        expect(pointAt(points, new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS))).toBe(89);
      }
    },
  );

  test("half an hour off UTC are made of the hours that begin on the day", () => {
    const { starts } = pointsOf("30d", "Asia/Kolkata", at("2026-02-10T12:00:00Z"));
    expect(starts.at(-1)).toEqual(at("2026-02-09T19:00:00Z"));
  });
});

describe("the points of a span", () => {
  const now = at("2026-03-10T10:20:00Z");
  const spanOf = (since: string, until: string, zone = "UTC") =>
    pointsOf({ since: at(since), until: at(until) }, zone, now);

  test("are its hours, which hold its first and its last moment, without the one that begins at its end", () => {
    const points = spanOf("2026-03-01T10:59:00Z", "2026-03-01T12:00:01Z");
    expect(points).toMatchObject({
      unit: "hour",
      starts: ["10", "11", "12"].map((hour) => at(`2026-03-01T${hour}:00:00Z`)),
      until: at("2026-03-01T13:00:00Z"),
    });
    expect(spanOf("2026-03-01T10:00:00Z", "2026-03-01T12:00:00Z").starts).toHaveLength(2);
  });

  test("end with the present hour", () => {
    const { starts, until } = spanOf("2026-03-10T08:00:00Z", "2027-01-01T00:00:00Z");
    expect([starts.length, until]).toEqual([3, at("2026-03-10T11:00:00Z")]);
  });

  test("are days of the zone after a week, the first and the last cut where the span is", () => {
    expect(spanOf("2026-03-01T00:00:00Z", "2026-03-08T00:00:00Z").unit).toBe("hour");
    const points = spanOf("2026-03-01T15:00:00Z", "2026-03-09T16:00:00Z", "America/New_York");
    expect(points.unit).toBe("day");
    expect(hoursOf(points)).toEqual([14, 24, 24, 24, 24, 24, 24, 23, 12]);
  });
});

describe("the period before", () => {
  const now = at("2026-03-10T10:20:00Z");

  test.each([
    ["of a range that isn't over leaves out the part that isn't", "24h", 23],
    ["of days has as many hours", "30d", 29 * 24 + 10],
    [
      "of a span that is over has its length",
      { since: at("2026-03-01T00:00:00Z"), until: at("2026-03-03T05:00:00Z") },
      53,
    ],
    ["of the present hour is the hour before", { since: at("2026-03-10T10:00:00Z"), until: now }, 1],
  ] as const)("%s", (_, period, hours) => {
    const points = pointsOf(period, "UTC", now);
    const { starts, until } = previousOf(points, now);
    expect(until).toEqual(points.starts[0]);
    expect(until.getTime() - (starts[0]?.getTime() ?? 0)).toBe(hours * HOUR_MS);
  });
});

test("an hour lies in one point, or outside", () => {
  const points = pointsOf("30d", "UTC", at("2026-02-10T12:00:00Z"));
  expect(pointAt(points, at("2026-02-10T12:00:00Z"))).toBe(29);
  expect(pointAt(points, at("2026-02-10T13:00:00Z"))).toBeNull();
  expect(pointAt(points, at("2026-01-12T00:00:00Z"))).toBe(0);
  expect(pointAt(points, at("2026-01-11T23:00:00Z"))).toBeNull();
});

test.each([
  ["Europe/Berlin", true],
  ["UTC", true],
  ["Mars/Olympus", false],
  ["+05:30", false],
  ["", false],
])("whether %s is a zone: %s", (zone, answer) => {
  expect(isZone(zone)).toBe(answer);
});
