import { createTRPCClient, httpBatchLink } from "@trpc/client";
import { expect, test } from "vitest";
import type { AppRouter } from "@/server/edge/trpc/router";
import { refusalIn, toApiError } from "./api-error";

/** Returns the error that a page sees for this response to a batch of two. */
async function reported(answer: () => Response) {
  const client = createTRPCClient<AppRouter>({
    links: [httpBatchLink({ url: "http://localhost/api/trpc", fetch: async () => answer() })],
  });
  const calls = [client.account.me.query(), client.account.sessions.query()];
  const refusals = await Promise.all(
    calls.map((call) =>
      call.then(
        () => "answered",
        (error: unknown) => toApiError(error),
      ),
    ),
  );
  expect(refusals[1]).toEqual(refusals[0]);
  return refusals[0];
}

test("a refusal before there is a procedure is told in its own words, with what to do", async () => {
  const error = { code: "cross_site_request", message: "It comes from elsewhere.", resend: "never" };
  const answer = () =>
    Response.json(
      { error: { ...error, remedy: "Open the page at its own URL." } },
      { status: 403, headers: { "X-Request-Id": "r1" } },
    );
  expect(await reported(answer)).toEqual({
    code: "cross_site_request",
    message: "It comes from elsewhere.",
    field: null,
    others: [],
    remedy: "Open the page at its own URL.",
    requestId: "r1",
  });
});

test("so is one that the server gives without saying what to do", async () => {
  const error = { code: "validation_failed", message: "No.", field: "body", resend: "never" };
  expect(await reported(() => Response.json({ error }, { status: 400 }))).toEqual({
    code: "validation_failed",
    message: "No.",
    field: "body",
    others: [],
    remedy: null,
    requestId: null,
  });
});

test("a refusal of a procedure is told in its own words", async () => {
  const data = { code: "not_signed_in", field: null, others: [], remedy: "Sign in.", requestId: "r2" };
  const one = { error: { code: -32_001, message: "You aren't signed in.", data } };
  expect(await reported(() => Response.json([one, one], { status: 401 }))).toEqual({
    ...data,
    message: "You aren't signed in.",
  });
});

test.each([
  ["a proxy's page", () => new Response("<h1>502</h1>", { status: 502 })],
  ["JSON that isn't ours", () => Response.json({ error: "bad gateway" }, { status: 502 })],
])("%s counts as a server that can't be reached", async (_, answer) => {
  expect(await reported(answer)).toMatchObject({ code: null, requestId: null });
});

test("a refused upload is told in its own words, and an unreadable answer as such", () => {
  const error = { code: "payload_too_large", message: "Too large.", remedy: "Send less." };
  expect(toApiError(refusalIn({ error }, "r1"))).toEqual({
    ...error,
    field: null,
    others: [],
    requestId: "r1",
  });
  for (const body of [null, "<html>", {}, { error: null }])
    expect(toApiError(refusalIn(body, null))).toMatchObject({ code: null });
});
