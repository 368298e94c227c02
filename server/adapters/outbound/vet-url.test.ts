import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { limitMs } from "@/e2e/support/machine-speed";
import type { Lookup } from "./lookup";
import { everyNameResolvesTo } from "./testing";
import { type Vetting, vetUrl } from "./vet-url";
import { allowedHost } from "@/server/platform/addresses";

const PUBLIC = "93.184.216.34";
const nobody: Lookup = () => Promise.reject(new Error("ENOTFOUND"));
const resolvingTo =
  (...addresses: readonly string[]): Lookup =>
  () =>
    Promise.resolve(addresses);

function vet(url: string, lookup: Lookup = resolvingTo(PUBLIC), allowed: readonly string[] = []) {
  return vetUrl(url, { allowedPrivateHosts: new Set(allowed), lookup });
}
const kindOf = async (...args: Parameters<typeof vet>): Promise<Vetting["kind"]> => (await vet(...args)).kind;

test.each([
  "https://example.com",
  "https://example.com/a.png",
  "HTTPS://Example.COM:8443/a%20b.png?x=1&y=%2F#part",
  "https://example.com/a@b.png?mail=a@b",
  "https://bücher.example/größe.png",
  "https://xn--bcher-kva.example/",
  "https://example.com./",
  `https://${"a".repeat(63)}.com/`,
  "https://my-local.example.com/",
  "https://localhost.example.com/",
  "https://internal.example.com/",
  "https://8.8.8.8/",
  "https://[2606:4700::1111]/",
  "https://[64:ff9b::808:808]/",
  "https://134744072/",
])("%s is allowed", async (url) => {
  expect(await vet(url)).toMatchObject({ kind: "allowed", url: new URL(url) });
});

test.each([
  ["no scheme", "example.com/a.png"],
  ["no host", "https://"],
  ["nothing", ""],
  ["words", "not a url"],
  ["plain http", "http://example.com/"],
  ["ftp", "ftp://example.com/"],
  ["a file", "file:///etc/passwd"],
  ["data", "data:image/png;base64,AAAA"],
  ["javascript", "javascript:alert(1)"],
  ["a path only", "//example.com/a.png"],
  ["one slash", "https:/example.com/"],
  ["three slashes", "https:///example.com/"],
  ["a backslash in the host", "https://example.com\\@127.0.0.1/"],
  ["backslashes for slashes", "https:\\\\example.com\\"],
  ["a user", "https://user@example.com/"],
  ["a password", "https://user:pass@example.com/"],
  ["an empty user", "https://@example.com/"],
  ["an encoded at sign", "https://example.com%40127.0.0.1/"],
  ["a space at its begin", " https://example.com/"],
  ["a line break within", "https://exam\nple.com/"],
  ["a tab in the path", "https://example.com/a\tb"],
  ["a space in the path", "https://example.com/a b"],
  ["a control character", "https://example.com/\u0001"],
  ["a port that isn't one", "https://example.com:99999/"],
  ["a label of 64 characters", `https://${"a".repeat(64)}.com/`],
  ["a name of 254 characters", `https://${"a.".repeat(125)}comm/`],
  ["a label of nothing", "https://example..com/"],
  ["a zone", "https://[fe80::1%25eth0]/"],
])("%s is forbidden, whatever the name resolves to", async (_, url) => {
  expect(await kindOf(url)).toBe("forbidden");
});

test.each([
  "https://127.0.0.1/",
  "https://127.0.0.1./",
  "https://127.1/",
  "https://2130706433/",
  "https://0x7f000001/",
  "https://0x7f.1/",
  "https://0177.0.0.1/",
  "https://017700000001/",
  "https://%31%32%37.0.0.1/",
  "https://１２７.0.0.1/",
  "https://①②⑦.⓪.⓪.①/",
  "https://0/",
  "https://169.254.169.254/latest/meta-data/",
  "https://[::1]/",
  "https://[::]/",
  "https://[::ffff:127.0.0.1]/",
  "https://[::ffff:7f00:1]/",
  "https://[::127.0.0.1]/",
  "https://[64:ff9b::7f00:1]/",
  "https://[64:ff9b::10.0.0.1]/",
  "https://[2002:7f00:1::]/",
  "https://[2001:0:7f00:1::]/",
  "https://[fd00:ec2::254]/",
  "https://[fe80::1]/",
])("the address in %s is forbidden", async (url) => {
  expect(await kindOf(url)).toBe("forbidden");
});

test.each([
  "https://localhost/",
  "https://localhost./",
  "https://localhost../",
  "https://LOCALHOST:8443/",
  "https://ⓛocalhost/",
  "https://loc%61lhost/",
  "https://api.localhost/",
  "https://printer.local/",
  "https://printer.local./",
  "https://metadata.google.internal/",
  "https://box.home.arpa/",
  "https://facebookcorewwwi.onion/",
  "https://db.corp/",
  "https://nas.lan/",
  "https://postgres/",
  "https://redis:6379/",
])("the name in %s is forbidden, without a look-up", async (url) => {
  const lookup: Lookup = () => Promise.reject(new Error("looked up"));
  expect(await kindOf(url, lookup)).toBe("forbidden");
});

describe("a name", () => {
  test("of which one address isn't public is forbidden", async () => {
    expect(await kindOf("https://example.com/", resolvingTo(PUBLIC, "10.0.0.1"))).toBe("forbidden");
    expect(await kindOf("https://example.com/", resolvingTo("::1", PUBLIC))).toBe("forbidden");
    expect(await kindOf("https://example.com/", resolvingTo("::ffff:8.8.8.8"))).toBe("forbidden");
  });

  test("that is allowed gives every address it resolved to", async () => {
    expect(await vet("https://example.com/", resolvingTo(PUBLIC, "2606:4700::1"))).toMatchObject({
      kind: "allowed",
      addresses: [PUBLIC, "2606:4700::1"],
    });
  });

  test("is asked for as the URL writes it, in ASCII", async () => {
    const asked: string[] = [];
    await vet("https://BÜCHER.example:8443/", async (host) => {
      asked.push(host);
      return [PUBLIC];
    });
    expect(asked).toEqual(["xn--bcher-kva.example"]);
  });

  test("that doesn't resolve is allowed, without an address", async () => {
    expect(await vet("https://example.com/", nobody)).toMatchObject({ kind: "allowed", addresses: [] });
  });

  test("that doesn't answer is allowed after a second, and what comes later changes nothing", async () => {
    let fail: (error: Error) => void = () => undefined;
    const silent = new Promise<never>((_, reject) => (fail = reject));
    const startedAt = performance.now();
    expect(await vet("https://example.com/", () => silent)).toMatchObject({ kind: "allowed", addresses: [] });
    expect(performance.now() - startedAt).toBeGreaterThan(900);
    expect(performance.now() - startedAt).toBeLessThan(limitMs(3_000));
    fail(new Error("late"));
  });

  test("is looked up by the machine's own name servers, with all its addresses, once for all who ask at a time", async () => {
    const lookup = everyNameResolvesTo(PUBLIC, "fd00::1");
    try {
      const ask = () => vetUrl("https://shared.example/", { allowedPrivateHosts: new Set() });
      const vettings = await Promise.all([ask(), ask(), ask()]);
      expect(vettings.map(({ kind }) => kind)).toEqual(["forbidden", "forbidden", "forbidden"]);
      expect(lookup.mock.calls).toEqual([["shared.example"]]);
      await ask();
      expect(lookup).toHaveBeenCalledTimes(2);
    } finally {
      vi.restoreAllMocks();
    }
  });

  test("that the machine's name servers don't know is allowed", async () => {
    const vetting = await vetUrl("https://name-that-nobody-has.invalid/", { allowedPrivateHosts: new Set() });
    expect(vetting).toMatchObject({ kind: "allowed", addresses: [] });
  });
});

describe("a host that the operator allows", () => {
  const allowed = ["127.0.0.1:8080", "inbox.local:443", "inbox.local:80", "[::1]:9000"];

  test.each([
    "http://127.0.0.1:8080/a.png",
    "https://127.0.0.1:8080/",
    "http://2130706433:8080/",
    "https://inbox.local/",
    "https://INBOX.local:443/",
    "http://inbox.local/",
    "http://[0:0::1]:9000/",
  ])("is allowed in %s, by plain http too, and not looked up", async (url) => {
    expect(await vet(url, nobody, allowed)).toMatchObject({ kind: "allowed", addresses: [] });
  });

  test.each([
    "http://127.0.0.1:8081/",
    "http://127.0.0.1/",
    "https://inbox.local:8443/",
    "http://user@127.0.0.1:8080/",
    "http://127.0.0.1:8080\\@example.com/",
    "ftp://127.0.0.1:8080/",
  ])("isn't allowed in %s", async (url) => {
    expect(await kindOf(url, nobody, allowed)).toBe("forbidden");
  });

  test.each([
    "inbox",
    "http://inbox:80",
    "inbox:",
    "inbox:http",
    "inbox:99999",
    "a b:80",
    "user@inbox:80",
    "",
  ])("can't be written as %j", (text) => {
    expect(allowedHost(text)).toBeNull();
  });
});

describe("an address that is an exception by itself", () => {
  const inbox = "http://127.0.0.1:3000/inbox/1";
  const vetBeside = (url: string) =>
    vetUrl(url, { allowedPrivateHosts: new Set(), exemptUrls: new Set([inbox]), lookup: nobody });

  test("is allowed as it is written", async () => {
    expect(await vetBeside(inbox)).toMatchObject({ kind: "allowed", addresses: [] });
  });

  test.each([
    "http://127.0.0.1:3000/",
    "http://127.0.0.1:3000/inbox/2",
    "http://127.0.0.1:3000/inbox/1/",
    "http://127.0.0.1:3000/inbox/1?x=1",
    "http://127.0.0.1:3000/inbox/../inbox/1",
    "http://localhost:3000/inbox/1",
    "http://127.1:3000/inbox/1",
    "http://127.0.0.1:3001/inbox/1",
    "https://127.0.0.1:3000/inbox/1",
  ])("isn't in %s", async (url) => {
    expect(await vetBeside(url)).toMatchObject({ kind: "forbidden" });
  });

  test("isn't for https, whose connections are shared with what is none", async () => {
    const exemptUrls = new Set(["https://10.0.0.1/inbox/1"]);
    const vetting = await vetUrl("https://10.0.0.1/inbox/1", { allowedPrivateHosts: new Set(), exemptUrls });
    expect(vetting).toMatchObject({ kind: "forbidden" });
  });
});

/** The spellings of an IPv4 address in a URL. */
const SPELLINGS: readonly ((bytes: readonly number[]) => string)[] = [
  (bytes) => bytes.join("."),
  (bytes) => bytes.map((byte) => `0x${byte.toString(16)}`).join("."),
  (bytes) => bytes.map((byte) => `0${byte.toString(8)}`).join("."),
  (bytes) => String(asNumber(bytes)),
  (bytes) => `0x${asNumber(bytes).toString(16)}`,
  (bytes) => `0${asNumber(bytes).toString(8)}`,
  ([a = 0, b = 0, ...rest]) => `${a}.${b}.${asNumber(rest)}`,
  ([a = 0, ...rest]) => `${a}.${asNumber(rest)}`,
  (bytes) => `${bytes.join(".")}.`,
  (bytes) => `[::ffff:${bytes.join(".")}]`,
  (bytes) => `[::${bytes.join(".")}]`,
  (bytes) => `[64:ff9b::${bytes.join(".")}]`,
  (bytes) => `[2002:${hex(bytes[0], bytes[1])}:${hex(bytes[2], bytes[3])}::1]`,
];
const asNumber = (bytes: readonly number[]) => bytes.reduce((sum, byte) => sum * 256 + byte, 0);
const hex = (high = 0, low = 0) => (high * 256 + low).toString(16);

test("an address that isn't public is forbidden however it is written, and when a name resolves to it", async () => {
  const byte = fc.integer({ min: 0, max: 255 });
  const notPublic = fc.oneof(
    fc.tuple(fc.constantFrom(0, 10, 127, 224, 240, 255), byte, byte, byte),
    fc.tuple(fc.constant(192), fc.constant(168), byte, byte),
    fc.tuple(fc.constant(169), fc.constant(254), byte, byte),
    fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), byte, byte),
    fc.tuple(fc.constant(100), fc.integer({ min: 64, max: 127 }), byte, byte),
  );
  await fc.assert(
    fc.asyncProperty(notPublic, fc.constantFrom(...SPELLINGS), async (bytes, spell) => {
      expect(await kindOf(`https://${spell(bytes)}/a.png`)).toBe("forbidden");
      expect(await kindOf("https://example.com/", resolvingTo(PUBLIC, bytes.join(".")))).toBe("forbidden");
    }),
    { numRuns: 500 },
  );
});

test("no text makes it throw", async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.string({ unit: "binary" }), fc.webUrl()), async (text) => {
      expect(["allowed", "forbidden"]).toContain(await kindOf(text, nobody));
      expect(["allowed", "forbidden"]).toContain(await kindOf(`https://${text}`, nobody));
    }),
  );
});
