import { VARIABLE_NAMES } from "@/server/platform/config";

const PREFIX = "WAYPOST_";
/** Set by server/start.mjs for next.config.js. */
const OF_THE_BUILD = ["WAYPOST_NEXT_DIST_DIR"];
/** Set in a shell by readers of the documentation. */
const OF_THE_DOCUMENTATION = ["WAYPOST_URL", "WAYPOST_KEY"];
/** Used by commands. */
const OF_COMMANDS = ["WAYPOST_API_KEY"];
/** Read by Inngest's SDK. */
const OF_INNGEST = ["INNGEST_ENV"];
const KNOWN = [...VARIABLE_NAMES, ...OF_THE_BUILD, ...OF_THE_DOCUMENTATION, ...OF_COMMANDS, ...OF_INNGEST];

const OURS = VARIABLE_NAMES.filter((name) => name.startsWith(PREFIX));

/** A name without our prefix is reported as a typo if it differs from one of ours by at most this many letters. */
const SLIP_LETTERS_MAX = 2;
/** Shorter names, such as `HOST`, are similar to too many others. */
const SLIP_LENGTH_MIN = 8;
const OTHERS = VARIABLE_NAMES.filter((name) => !OURS.includes(name) && name.length >= SLIP_LENGTH_MIN);

/**
 * Returns a line for each variable that looks like one of ours but isn't read, with the one that was probably meant. A
 * name without our prefix is only reported if the similar variable isn't set, because other programs have variables
 * too.
 */
export function unknownVariables(env: NodeJS.ProcessEnv): readonly string[] {
  return Object.keys(env)
    .filter((name) => !KNOWN.includes(name))
    .flatMap((name) => {
      const meant = suggestionFor(name, env);
      return meant === null
        ? []
        : [`${name} is not a variable of Waypost and is ignored. Did you mean ${meant}?`];
    });
}

function suggestionFor(name: string, env: NodeJS.ProcessEnv): string | null {
  if (name.startsWith(PREFIX)) return closest(name, OURS);
  const meant = closest(name, OTHERS);
  return distance(name, meant) <= SLIP_LETTERS_MAX && !env[meant] ? meant : null;
}

function closest(name: string, candidates: readonly string[]): string {
  const byDistance = candidates.toSorted((a, b) => distance(name, a) - distance(name, b));
  return byDistance[0] ?? PREFIX;
}

/** Number of letters to insert, drop or replace (Levenshtein), row by row. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...from].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...to].entries()) {
      const replaced = at(row, j) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, at(row, j + 1) + 1, at(next, j) + 1));
    }
    row = next;
  }
  return at(row, to.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
