import canonicalize from "canonicalize";
import { createHmac } from "node:crypto";

/** Returns a JSON value without its nulls: absent and null are the same. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== null && member !== undefined)
      .map(([name, member]) => [name, withoutNulls(member)]),
  );
}

/**
 * Returns the HMAC-SHA-256 of the body's RFC 8785 form: equal for equal bodies. Without the key it reveals nothing
 * about them.
 */
export function bodyFingerprint(key: Buffer, body: unknown): Buffer {
  const canonical = canonicalize(withoutNulls(body));
  if (canonical === undefined) throw new Error("A body without a canonical form can't be fingerprinted");
  return createHmac("sha256", key).update(canonical).digest();
}

/** Returns the paths of members in which two bodies differ, such as `text.body`; names only, never values. */
export function differingFields(one: unknown, other: unknown, path = ""): readonly string[] {
  if (canonicalize(one ?? null) === canonicalize(other ?? null)) return [];
  if (!isRecord(one) || !isRecord(other)) return [path];
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])].sort();
  return names.flatMap((name) =>
    differingFields(one[name], other[name], path === "" ? name : `${path}.${name}`),
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
