import { describe, expect, test } from "vitest";
import { readAnswer, readNumberAnswer } from "./answer";

const error = (code: number) => JSON.stringify({ error: { code, message: "m", type: "OAuthException" } });

/** Rows of Meta's table of errors, by their effect on a message. */
const CODES = {
  retry: {
    credentials: [0, 190, 3, 10, 200, 299, 131005],
    throughput: [4, 80007, 130429, 131056],
    "unknown or unavailable, with a clean error": [1, 2, 131000, 131016, 133004, 131057],
    "channel and account": [131048, 131064, 131042, 368, 131031, 131045, 133010, 133006],
  },
  rejected: {
    "the message": [100, 131008, 131009, 135000, 33, 131021, 131051, 131053, 131062],
    "the recipient": [131026, 130497, 131030, 131047, 131049, 131050, 130403, 130472, 137000],
    template: [132000, 132001, 132005, 132007, 132012, 132015, 132016, 132018],
  },
} as const satisfies Record<string, Record<string, readonly number[]>>;

describe("a Graph error without a message id", () => {
  const rows = Object.entries(CODES).flatMap(([kind, classes]) =>
    Object.entries<readonly number[]>(classes).flatMap(([name, codes]) =>
      codes.map((code) => [code, name, kind] as const),
    ),
  );

  test.each(rows)("%i (%s) is a clear answer, whatever its HTTP status: %s", (code, _, kind) => {
    for (const httpStatus of [200, 400, 403, 500, 503]) {
      expect(readAnswer(httpStatus, error(code))).toMatchObject({
        kind,
        detail: { httpStatus, upstreamCode: code },
      });
    }
  });

  test.each([
    [131026, "undeliverable"],
    [130497, "recipient_not_allowed"],
    [131047, "outside_customer_window"],
    [131009, "upstream_rejected"],
  ])("%i fails the message with the code %s", (code, failure) => {
    expect(readAnswer(400, error(code))).toMatchObject({ kind: "rejected", code: failure });
  });

  test.each([
    [400, "rejected"],
    [404, "rejected"],
    [429, "retry"],
    [500, "uncertain"],
    [503, "uncertain"],
  ])("of a code that nobody knows goes by the HTTP status: %i is %s", (httpStatus, kind) => {
    expect(readAnswer(httpStatus, error(999_999)).kind).toBe(kind);
  });
});

describe("a Graph error in an unusual shape is as clear as any other", () => {
  test.each([
    ["without details", { code: 190, error_data: null }],
    ["with details that are text", { code: 190, error_data: '{"messaging_product":"whatsapp"}' }],
    ["with a code that is text", { code: "190" }],
    ["with a message that is no text", { code: 190, message: { text: "Expired" } }],
  ])("%s", (_, error) => {
    const body = JSON.stringify({ error });
    const detail = { httpStatus: 401, upstreamCode: 190 };
    expect(readAnswer(401, body)).toMatchObject({
      kind: "retry",
      pauseReason: "credentials_invalid",
      detail,
    });
    expect(readNumberAnswer(401, body)).toMatchObject({ kind: "unreadable", detail });
  });

  test("without a code it goes by the HTTP status, and its words are kept", () => {
    const body = JSON.stringify({ error: { message: "No idea" } });
    const detail = { upstreamCode: null, reason: "No idea" };
    expect(readAnswer(400, body)).toMatchObject({ kind: "rejected", detail });
    expect(readAnswer(500, body)).toMatchObject({ kind: "uncertain", detail });
  });
});

describe("an answer with a message id", () => {
  const body = JSON.stringify({ messaging_product: "whatsapp", messages: [{ id: "wamid.1" }] });

  test.each([200, 201])("and %i was accepted", (httpStatus) => {
    expect(readAnswer(httpStatus, body)).toMatchObject({ kind: "accepted", upstreamId: "wamid.1" });
  });

  test.each([302, 400, 429, 500])("and %i is in doubt: it may have been sent", (httpStatus) => {
    expect(readAnswer(httpStatus, body).kind).toBe("uncertain");
  });
});

describe("an answer that says nothing readable", () => {
  test.each([
    [200, "", "uncertain"],
    [200, "{}", "uncertain"],
    [200, '{"messages":[]}', "uncertain"],
    [200, '{"messages":[{"id":""}]}', "uncertain"],
    [200, '{"messages":[{"id":7}]}', "uncertain"],
    [302, "", "uncertain"],
    [429, "slow down", "retry"],
    [404, "<html>not found</html>", "rejected"],
    [500, "<html>oops</html>", "uncertain"],
    [502, "", "uncertain"],
    [503, '{"error":"down"}', "uncertain"],
  ])("%i %s is %s", (httpStatus, body, kind) => {
    expect(readAnswer(httpStatus, body).kind).toBe(kind);
  });
});

test("the upstream's words are kept for staff, at most 500 characters of them", () => {
  const details = "x".repeat(2_000);
  const { detail } = readAnswer(400, JSON.stringify({ error: { code: 100, error_data: { details } } }));
  expect(detail.reason).toBe("x".repeat(500));
});

describe("an answer that couldn't be stored as it is", () => {
  test.each([1.5, 99_999_999_999, 1e30, -1e30])("with the code %d is kept without it", (code) => {
    expect(readAnswer(400, JSON.stringify({ error: { code } })).detail.upstreamCode).toBeNull();
  });

  test("is freed of what PostgreSQL doesn't take, also where the cut goes through a character", () => {
    const words = `a\u0000b\ud800${"x".repeat(495)}🙂`;
    const { detail } = readAnswer(400, JSON.stringify({ error: { code: 100, message: words } }));
    expect(detail.reason).toBe(`ab\ufffd${"x".repeat(495)}\ufffd`);
  });

  test.each(["wamid.a\u0000b", "wamid.\ud800", "w".repeat(501)])(
    "under an id that can't be kept is in doubt: it was taken, and nothing will name it",
    (id) => {
      expect(readAnswer(200, JSON.stringify({ messages: [{ id }] })).kind).toBe("uncertain");
    },
  );
});

describe("what a Graph error has to wait for", () => {
  test.each([
    [131000, null],
    [131056, "conversation"],
    [190, "credentials_invalid"],
    [200, "permission_missing"],
    [299, "permission_missing"],
    [131048, "spam_limited"],
  ])("code %i: %s", (code, pauseReason) => {
    const outcome = readAnswer(400, JSON.stringify({ error: { code } }));
    expect(outcome.kind).toBe("retry");
    expect("pauseReason" in outcome ? outcome.pauseReason : null).toBe(pauseReason);
  });
});

describe("the number's own answer", () => {
  test("tells what it is", () => {
    const body = {
      id: "1",
      display_phone_number: "+1 555 0100",
      verified_name: "Shop",
      quality_rating: "GREEN",
    };
    expect(readNumberAnswer(200, JSON.stringify(body))).toEqual({
      kind: "readable",
      displayPhoneNumber: "+1 555 0100",
      verifiedName: "Shop",
      qualityRating: "GREEN",
    });
  });

  test.each([
    [401, JSON.stringify({ error: { code: 190, message: "Expired" } }), 190],
    [200, "<html>", null],
    [500, "", null],
  ])("%i %s is unreadable", (httpStatus, body, upstreamCode) => {
    expect(readNumberAnswer(httpStatus, body)).toMatchObject({
      kind: "unreadable",
      detail: { httpStatus, upstreamCode },
    });
  });

  const PROOF = "Invalid appsecret_proof provided in the API argument";
  test.each([
    [401, 190, "Expired", "accessToken"],
    [500, 3, "Capability", null],
    [403, 200, "Permission", "accessToken"],
    [400, 100, "Object with this ID does not exist", "phoneNumberId"],
    [400, 33, "Deleted", "phoneNumberId"],
    [400, 100, PROOF, "appSecret"],
    [429, 130429, "Rate limit", null],
    [400, 4, "Too many calls", null],
    [500, 2, "Service unavailable", null],
  ])("%i with code %i (%s) refuses %s", (httpStatus, code, message, fault) => {
    expect(readNumberAnswer(httpStatus, JSON.stringify({ error: { code, message } }))).toMatchObject({
      fault,
    });
  });
});
