import { afterEach, expect, test } from "vitest";
import { createTestServers } from "@/e2e/support/http-servers";

const { serve, end } = createTestServers();
afterEach(end);

test("a page of another scheme changes nothing, and a proxy says which scheme the client used", async () => {
  const { port } = await serve();
  const asked = async (headers: Record<string, string>) => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/auth/sign-in/email`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: "{}",
    });
    return (await answer.json()).error.code;
  };
  const [plain, tls] = ["http", "https"].map((scheme) => `${scheme}://127.0.0.1:${port}`);
  expect(await asked({ origin: plain ?? "" })).toBe("validation_failed");
  expect(await asked({ origin: tls ?? "" })).toBe("cross_site_request");
  // This machine's own address is that of a trusted proxy.
  expect(await asked({ origin: tls ?? "", "x-forwarded-proto": "https" })).toBe("validation_failed");
  expect(await asked({ origin: plain ?? "", "x-forwarded-proto": "https" })).toBe("cross_site_request");
});
