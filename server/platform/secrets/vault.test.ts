import { describe, expect, test } from "vitest";
import { createVault } from "./vault";

const vault = createVault("a secret of the tests, of enough length");
const other = createVault("another secret of the tests, long enough");

describe("a vault", () => {
  test("gives back what was encrypted for the purpose, and encrypts it differently each time", () => {
    const [one, two] = [vault.encrypt("Grüße\0🙂", "token"), vault.encrypt("Grüße\0🙂", "token")];
    expect(vault.decrypt(one, "token")).toBe("Grüße\0🙂");
    expect(vault.decrypt(vault.encrypt("", "token"), "token")).toBe("");
    expect(one).not.toBe(two);
    expect(Buffer.from(one.slice("v1.".length), "base64url").includes("Grüße")).toBe(false);
  });

  test("reads nothing that was encrypted for another purpose or under another secret", () => {
    const encrypted = vault.encrypt("plain", "token:1");
    expect(() => vault.decrypt(encrypted, "token:2")).toThrow(Error);
    expect(() => other.decrypt(encrypted, "token:1")).toThrow(Error);
  });

  test("reads nothing in which one bit was changed, wherever", () => {
    const [version, payload = ""] = vault.encrypt("plain", "token").split(".");
    const bytes = Buffer.from(payload, "base64url");
    for (let index = 0; index < bytes.length; index++) {
      const changed = Buffer.from(bytes);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(() => vault.decrypt(`${version}.${changed.toString("base64url")}`, "token")).toThrow(Error);
    }
  });

  test("reads nothing that spells the same bytes in another way", () => {
    const encrypted = vault.encrypt("", "token");
    // 28 bytes leave four bits of the last character unused.
    const last = encrypted.at(-1) ?? "";
    const next = String.fromCharCode(last.charCodeAt(0) + 1);
    for (const other of [`${encrypted}=`, `${encrypted}.x`, `${encrypted} `, encrypted.slice(0, -1) + next]) {
      expect(() => vault.decrypt(other, "token")).toThrow(Error);
    }
    expect(vault.decrypt(encrypted, "token")).toBe("");
  });

  test.each(["", "v1", "v1.", "v2.AAAA", "v1.AAAA", "nonsense"])("refuses %j", (encrypted) => {
    expect(() => vault.decrypt(encrypted, "token")).toThrow(Error);
  });

  test("accepts no shortened tag", () => {
    const bytes = Buffer.from(vault.encrypt("", "token").split(".")[1] ?? "", "base64url");
    const short = bytes.subarray(0, 16).toString("base64url");
    expect(() => vault.decrypt(`v1.${short}`, "token")).toThrow(Error);
  });

  test("derives one token per purpose and secret, and a check value that is neither", () => {
    expect(vault.derive("a")).toBe(vault.derive("a"));
    expect(vault.derive("a")).toMatch(/^[\w-]{43}$/);
    const values = [
      vault.derive("a"),
      vault.derive("b"),
      other.derive("a"),
      vault.checkValue,
      other.checkValue,
    ];
    expect(new Set(values).size).toBe(values.length);
  });
});
