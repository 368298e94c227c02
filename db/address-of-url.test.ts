import { expect, test } from "vitest";
import { addressForOnce, addressOfUrl } from "./address-of-url";

/** No server listens there, so a query fails. */
const NOBODY = "postgres://u:p@127.0.0.1:1/db";

test.each([
  ["pgbouncer=true", "", false],
  ["pgbouncer=true&prepare=true", "?prepare=true", undefined],
  ["prepare=true&pgbouncer=true", "?prepare=true", undefined],
  ["prepare=false&pgbouncer=false", "?prepare=false", undefined],
  ["pgbouncer=true&application_name=a?b&c=d", "?application_name=a?b&c=d", false],
])(
  "%s in the URL decides without asking, and nothing else of it is lost",
  async (query, kept, isPrepared) => {
    expect(await addressOfUrl(`${NOBODY}?${query}`)).toEqual({ url: `${NOBODY}${kept}`, isPrepared });
  },
);

test("a URL that says nothing of it is asked", async () => {
  await expect(addressOfUrl(`${NOBODY}?application_name=a`)).rejects.toMatchObject({ code: "ECONNREFUSED" });
});

test("what runs each statement once prepares none, and loses nothing of the URL", () => {
  const url = `${NOBODY}?application_name=a?b`;
  expect(addressForOnce(`${url}&pgbouncer=true`)).toEqual({ url, isPrepared: false });
});
