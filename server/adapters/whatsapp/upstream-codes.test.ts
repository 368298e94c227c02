import { describe, expect, test } from "vitest";
import { PAUSE_REASONS } from "./pause-reasons";
import { catalogueEntry, FAILURE_CODES } from "@/server/platform/errors";
import { explainFailure } from "@/server/domain/messages/model/explain-failure";
import { failureCode, UPSTREAM_CODES, upstreamOutcome } from "./outcomes";
import { graphErrors, type GraphErrorRow } from "@/server/simulator/graph-errors";

/** Meta’s list according to field documentation. 200 and 299 stand for the codes between them. */
const DOCUMENTED = [
  0, 1, 2, 3, 4, 10, 33, 100, 190, 200, 299, 368, 80007, 130403, 130429, 130472, 130497, 131000, 131005,
  131008, 131009, 131016, 131021, 131026, 131030, 131031, 131042, 131045, 131047, 131048, 131049, 131050,
  131051, 131052, 131053, 131056, 131057, 131062, 131064, 132000, 132001, 132005, 132007, 132012, 132015,
  132016, 132018, 133004, 133006, 133010, 135000, 137000,
];

const simulated: readonly GraphErrorRow[] = Object.values(graphErrors);
const CODES = [
  ...new Set([
    ...DOCUMENTED,
    ...Object.keys(UPSTREAM_CODES).map(Number),
    ...simulated.map(({ code }) => code),
  ]),
];

const explained = (code: number) =>
  explainFailure({
    errorCode: failureCode(code),
    errorDetail: { upstreamCode: code },
    failedAt: new Date(0),
  });
const wordsOf = (code: number) => {
  const { message, nextStep } = explained(code);
  return `${message} ${nextStep}`;
};

/** Statements that are true for some codes only. The text of another code must not contain them. */
const CLAIMS = [
  { claim: /check the number|not be on WhatsApp|accepted the terms|app may be outdated/i, of: [131026] },
  { claim: /country/i, of: [130497] },
  { claim: /customer service window|until the customer writes/i, of: [131047] },
  { claim: /hasn't written|has not written|didn't write/i, of: [] },
  { claim: /blocked this customer|unblock/i, of: [130403] },
  { claim: /opted out of marketing|don't send marketing/i, of: [131050] },
  { claim: /too many messages\./i, of: [131049] },
  { claim: /experiment/i, of: [130472] },
  { claim: /after a day/i, of: [131049, 130472] },
  { claim: /test number/i, of: [131030] },
  { claim: /identity/i, of: [137000] },
  { claim: /blocked or reported|spam/i, of: [131048] },
  { claim: /payment/i, of: [131042] },
  { claim: /policy|policies/i, of: [368, 131031, 132007] },
  { claim: /access token has expired/i, of: [190] },
  { claim: /file/i, of: [131052, 131053] },
  { claim: /low quality/i, of: [132015, 132016] },
  { claim: /register/i, of: [131045, 133006, 133010] },
  { claim: /overloaded/i, of: [2] },
  { claim: /maintenance/i, of: [131057] },
  { claim: /short time/i, of: [130429, 131056] },
  { claim: /reached its rate limit/i, of: [4, 80007] },
] as const satisfies readonly { claim: RegExp; of: readonly number[] }[];

/** Terms of the Cloud API that support staff don't know. */
const JARGON = /\bAPI\b|parameter|payload|\bhash\b|wamid|WABA|Graph|endpoint|throughput|HTTP|OAuth|`/i;

describe.each(CODES)("WhatsApp's code %i", (code) => {
  const known = upstreamOutcome(code);

  test("leads to a sentence that says what WhatsApp said, a next step, and whether to send again", () => {
    const { message, nextStep, resend, upstream } = explained(code);
    expect(message).toMatch(/^WhatsApp .{15,}\.$/);
    expect(nextStep).toMatch(/^[A-Z].{15,}\.$/);
    expect(resend).toBe(catalogueEntry(failureCode(code)).resend);
    expect(FAILURE_CODES).toContain(failureCode(code));
    expect(upstream).toEqual({ code, title: known?.title ?? null });
  });

  test("claims nothing that only another code says, in words that support staff know", () => {
    const words = wordsOf(code);
    const wrong = CLAIMS.filter(
      ({ claim, of }) => claim.test(words) && !of.some((allowed: number) => allowed === code),
    );
    expect(wrong.map(({ claim }) => claim)).toEqual([]);
    expect(words).not.toMatch(JARGON);
  });

  test("tells to send again only what can succeed", () => {
    const { resend, nextStep } = explained(code);
    const isAdvised = /\b[Ss]end (it|the message) again/.test(nextStep);
    const allowed = { safe: [true], later: [true, false], never: [false], may_duplicate: [false] };
    expect(allowed[resend]).toContain(isAdvised);
    expect(nextStep.includes("After that, send the message again.")).toBe(known?.retry === "channel");
  });
});

test("every code that Meta documents, and only those, is in the table", () => {
  const permissions = [200, 299];
  const inTable = Object.keys(UPSTREAM_CODES).map(Number);
  expect(inTable.concat(permissions).toSorted((a, b) => a - b)).toEqual(DOCUMENTED);
});

test("the simulator gives each code of the table the title that the table has", () => {
  const differing = simulated
    .filter(({ code }) => upstreamOutcome(code) !== null)
    .filter(({ code, title }) => upstreamOutcome(code)?.title !== title);
  expect(differing).toEqual([]);
});

test("every claim is made by the codes that it is of", () => {
  const missing = CLAIMS.flatMap(({ claim, of }) =>
    of.filter((code: number) => !claim.test(wordsOf(code))).map((code) => ({ claim, code })),
  );
  expect(missing).toEqual([]);
});

test("a pause claims nothing that only one of the codes behind it says", () => {
  const several = Object.entries(PAUSE_REASONS).filter(([reason]) => {
    const codes = Object.values(UPSTREAM_CODES).filter(
      (row) => row.retry === "channel" && row.pause === reason,
    );
    return codes.length > 1;
  });
  expect(several.length).toBeGreaterThan(2);
  for (const [, { message }] of several) expect(message).not.toMatch(/blocked or reported|isn't registered/);
});

test("a code that nobody knows is explained by what is known of it", () => {
  const failure = { errorCode: "upstream_rejected", failedAt: null };
  const said = { upstreamCode: 139_999, title: "Something new" };
  expect(explainFailure({ ...failure, errorDetail: said })).toMatchObject({
    message: catalogueEntry("upstream_rejected").message,
    upstream: { code: 139_999, title: "Something new" },
  });
});

test("a row that an earlier version stored keeps its code, and is explained by WhatsApp's", () => {
  const errorDetail = { upstreamCode: 130_497, reason: "Restricted" };
  expect(explainFailure({ errorCode: "undeliverable", errorDetail, failedAt: null })).toMatchObject({
    message: upstreamOutcome(130_497)?.said,
    resend: "never",
    upstream: { code: 130_497 },
  });
});
