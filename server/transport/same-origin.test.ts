import { describe, expect, test } from "vitest";
import { isWaypostError } from "@/server/platform/errors";
import { requireSameOrigin } from "./same-origin";

/** True if the request is allowed, else the code of the error. */
function allowed(headers: Record<string, string>, method = "POST", publicUrl: string | null = null): unknown {
  try {
    requireSameOrigin(new Request("http://localhost/api/trpc/x", { method, headers }), publicUrl);
    return true;
  } catch (error) {
    return isWaypostError(error) ? error.code : error;
  }
}

/** Set as a proxy does. */
const TLS = { "x-forwarded-proto": "https" };

describe("a request that changes something", () => {
  const host = "waypost.example:3000";
  test.each<[string, Record<string, string>, boolean]>([
    ["of a page of the host that it came to", { host, origin: "http://waypost.example:3000" }, true],
    ["of that page over TLS", { host, origin: "https://waypost.example:3000", ...TLS }, true],
    [
      "of that page over TLS on its usual port",
      { host: "waypost.example", origin: "https://waypost.example", ...TLS },
      true,
    ],
    ["of that port, named", { host: "waypost.example:443", origin: "https://waypost.example", ...TLS }, true],
    [
      "of a page over TLS, where this server is asked without",
      { host, origin: "https://waypost.example:3000" },
      false,
    ],
    [
      "of a page without TLS, where this server is asked over it",
      { host, origin: "http://waypost.example:3000", ...TLS },
      false,
    ],
    ["in other case", { host: "WayPost.example:3000", origin: "http://waypost.example:3000" }, true],
    ["of a page that says so without its origin", { host, "sec-fetch-site": "same-origin" }, true],
    ["of another port", { host, origin: "http://waypost.example:3001" }, false],
    ["of a name below", { host, origin: "http://evil.waypost.example:3000" }, false],
    ["of a sandbox", { host, origin: "null", "sec-fetch-site": "same-origin" }, false],
    ["of another site", { host, origin: "https://evil.example" }, false],
    ["of a sibling", { host, "sec-fetch-site": "same-site" }, false],
    ["of nobody who says from where", { host }, false],
    ["of what is no origin", { host, origin: "waypost.example:3000" }, false],
  ])("%s: %j is let through: %s", (_, headers, isAllowed) => {
    expect(allowed(headers)).toBe(isAllowed || "cross_site_request");
  });

  test("is taken at the public address, whatever the proxy calls this host", () => {
    const headers = { host: "backend:3000", origin: "https://waypost.example" };
    expect(allowed(headers, "POST", "https://waypost.example/base")).toBe(true);
    expect(allowed(headers, "POST", "https://other.example")).toBe("cross_site_request");
  });
});

test.each([
  ["evil.example", false],
  ["localhost.evil.example", false],
  ["10.0.0.7:3000", false],
  ["127.0.0.1:3000", true],
  ["localhost:3000", true],
  ["[::1]:3000", true],
])(
  "where the public address is known, a page of %s by that very name may change something: %s",
  (host, isAllowed) => {
    const headers = { host, origin: `http://${host}` };
    expect(allowed(headers, "POST", "https://waypost.example")).toBe(isAllowed || "cross_site_request");
    expect(allowed(headers)).toBe(true);
  },
);

test("where the public address is known, a page of it by the other scheme may change nothing", () => {
  const headers = { host: "waypost.example", origin: "http://waypost.example" };
  expect(allowed(headers, "POST", "https://waypost.example")).toBe("cross_site_request");
  expect(allowed({ ...headers, origin: "https://waypost.example" }, "POST", "http://waypost.example")).toBe(
    "cross_site_request",
  );
});

test("a request that only reads may come from anywhere: browsers don't show the answer to other sites", () => {
  expect(allowed({ host: "waypost.example", origin: "https://evil.example" }, "GET")).toBe(true);
});
