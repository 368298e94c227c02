interface Level {
  /** Names found in the object so far. Null for an array. */
  readonly names: Set<string> | null;
  /** The current member, or the element's index. */
  at: string | number;
}

/**
 * Finds the first member whose object has another member with the same name. `JSON.parse` silently keeps the last one,
 * while another parser of the same body keeps the first. Reads the text once, whatever its nesting.
 * @param json valid JSON. Names are compared as `JSON.parse` reads them, with escapes resolved.
 * @returns the path from the root. Null if every name is unique.
 */
export function findDuplicateMember(json: string): string[] | null {
  const levels: Level[] = [];
  let level: Level | undefined;
  for (let index = 0; index < json.length; index += 1) {
    switch (json.charCodeAt(index)) {
      case OPEN_OBJECT:
        levels.push((level = { names: new Set(), at: "" }));
        break;
      case OPEN_ARRAY:
        levels.push((level = { names: null, at: 0 }));
        break;
      case CLOSE_OBJECT:
      case CLOSE_ARRAY:
        levels.pop();
        level = levels.at(-1);
        break;
      case COMMA:
        if (typeof level?.at === "number") level.at += 1;
        break;
      case QUOTE: {
        const end = endOfString(json, index);
        if (level?.names && isName(json, end)) {
          const name: string = JSON.parse(json.slice(index, end));
          level.at = name;
          if (level.names.has(name)) return levels.map(({ at }) => String(at));
          level.names.add(name);
        }
        index = end - 1;
      }
    }
  }
  return null;
}

const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [0x7b, 0x7d, 0x5b, 0x5d] as const;
const [COMMA, COLON, QUOTE, BACKSLASH] = [0x2c, 0x3a, 0x22, 0x5c] as const;
/** The white space of JSON, and no other. */
const WHITE_SPACE: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);

/** @returns the index after its closing quote. */
function endOfString(json: string, start: number): number {
  let index = start + 1;
  for (; json.charCodeAt(index) !== QUOTE; index += 1) {
    if (json.charCodeAt(index) === BACKSLASH) index += 1;
  }
  return index + 1;
}

/** A string is a name if a colon follows. */
function isName(json: string, end: number): boolean {
  let index = end;
  while (WHITE_SPACE.has(json.charCodeAt(index))) index += 1;
  return json.charCodeAt(index) === COLON;
}
