import fc from "fast-check";
import { brokenJson, nastyJson, PROTOTYPE_NAMES } from "./nasty";

type Path = readonly string[];
type Mutation = (value: unknown) => Buffer;

const MARK = "@@hostile@@";
const BODY_BYTES_MAX = 65_536;

/** JSON with one fault: a value, a name, or the bytes around them. */
export function mutated(values: fc.Arbitrary<unknown>): fc.Arbitrary<Buffer> {
  return fc
    .tuple(values, fc.oneof(valueMutations, memberMutations, byteMutations))
    .map(([value, mutate]) => mutate(value));
}

const somewhere = fc.nat(1_000);

/** Replaces one value. */
const valueMutations: fc.Arbitrary<Mutation> = fc
  .tuple(
    somewhere,
    fc.oneof(
      { weight: 4, arbitrary: nastyJson.map((text) => Buffer.from(text)) },
      { weight: 1, arbitrary: brokenJson },
    ),
  )
  .map(
    ([index, raw]) =>
      (value: unknown) =>
        withRaw(setAt(value, pick(pathsOf(value), index), MARK), raw),
  );

/** Removes or duplicates a member, or adds an unknown one. */
const memberMutations: fc.Arbitrary<Mutation> = fc.oneof(
  somewhere.map((index) => (value: unknown) => bytesOf(setAt(value, pick(pathsOf(value), index), undefined))),
  fc.tuple(fc.constantFrom(...PROTOTYPE_NAMES, "organization_id", "", "\0", "a.b"), nastyJson).map(
    ([name, raw]) =>
      (value: unknown) =>
        withMember(value, JSON.stringify(name), raw),
  ),
  fc.tuple(somewhere, nastyJson).map(
    ([index, raw]) =>
      (value: unknown) =>
        withMember(value, JSON.stringify(pick(pathsOf(value), index)[0] ?? "type"), raw),
  ),
);

const aByte = fc.nat(255);

/** Changes the encoding, truncates or pads the text as a whole. */
const byteMutations: fc.Arbitrary<Mutation> = fc.oneof(
  fc.double({ min: 0, max: 1, noNaN: true }).map((part) => (value: unknown) => {
    const bytes = bytesOf(value);
    return bytes.subarray(0, Math.floor(bytes.length * part));
  }),
  fc
    .tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.array(aByte, { minLength: 1, maxLength: 3 }))
    .map(([part, inserted]) => (value: unknown) => {
      const bytes = bytesOf(value);
      const at = Math.floor(bytes.length * part);
      return Buffer.concat([bytes.subarray(0, at), Buffer.from(inserted), bytes.subarray(at)]);
    }),
  fc.constantFrom<Mutation[]>(
    (value) => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytesOf(value)]),
    (value) => Buffer.from(JSON.stringify(value), "utf16le"),
    (value) => Buffer.concat([bytesOf(value), bytesOf(value)]),
    (value) => Buffer.from(JSON.stringify([value])),
    (value) => Buffer.from(JSON.stringify(JSON.stringify(value))),
    (value) => Buffer.from(JSON.stringify(value), "latin1"),
  ),
  fc.constantFrom(-1, 0, 1).map((more) => (value: unknown) => {
    const bytes = bytesOf(value);
    const missing = BODY_BYTES_MAX + more - bytes.length;
    return missing <= 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(missing, " ")]);
  }),
);

function bytesOf(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value) ?? "");
}

/** Returns the value's JSON, with these bytes in place of the mark. */
function withRaw(value: unknown, raw: Buffer): Buffer {
  const [before = "", after = ""] = JSON.stringify(value).split(JSON.stringify(MARK), 2);
  return Buffer.concat([Buffer.from(before), raw, Buffer.from(after)]);
}

/** Appends a member, even if its name exists already. Both arguments are JSON. */
function withMember(value: unknown, name: string, json: string): Buffer {
  const text = JSON.stringify(value);
  const separator = text === "{}" ? "" : ",";
  return Buffer.from(`${text.slice(0, -1)}${separator}${name}:${json}}`);
}

function pick(paths: readonly Path[], index: number): Path {
  return paths[index % paths.length] ?? [];
}

/** Returns the paths to all values, the root last. */
function pathsOf(value: unknown): readonly Path[] {
  if (typeof value !== "object" || value === null) return [[]];
  const below = Object.entries(value).flatMap(([name, member]) =>
    pathsOf(member).map((path) => [name, ...path]),
  );
  return [...below, []];
}

/** Returns a copy with another value there; undefined removes it. */
function setAt(value: unknown, path: Path, replacement: unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return replacement ?? null;
  const members = Object.entries(Object(value)).flatMap(([key, member]): [string, unknown][] => {
    if (key !== name) return [[key, member]];
    if (rest.length === 0 && replacement === undefined) return [];
    return [[key, setAt(member, rest, replacement)]];
  });
  return Array.isArray(value) ? members.map(([, member]) => member) : Object.fromEntries(members);
}
