import type { HostileCase, RequestLine } from "./case";
import { problemsOf } from "./check-answer";
import { type Connection, openConnection, type WireAnswer } from "./wire";
import type { HostileWorld } from "./world";

/** A client without a complete request ends after this time without data. */
const QUIET_MS = 1_000;
/** More responses than any case has requests. */
const ANSWERS_MAX = 50;

export interface Played {
  readonly answers: readonly WireAnswer[];
  readonly problems: readonly string[];
}

/** Plays cases one after the other; those with valid HTTP share a connection while it lasts. */
export interface Player {
  play(one: HostileCase): Promise<Played>;
  close(): void;
}

export function createPlayer(world: HostileWorld): Player {
  let shared: Connection | null = null;
  return {
    async play(one) {
      try {
        if (one.ending !== "each") return await alone(world, one);
        shared ??= await openConnection(world.baseUrl);
        const { isOpen, ...played } = await each(world, shared, one);
        if (!isOpen) {
          shared.destroy();
          shared = null;
        }
        return played;
      } catch (error) {
        shared?.destroy();
        shared = null;
        return { answers: [], problems: [String(error)] };
      }
    },
    close: () => shared?.destroy(),
  };
}

/** Expects one response per request, unless a response says that it is the last. */
async function each(world: HostileWorld, connection: Connection, { pieces, requests }: HostileCase) {
  const answers: WireAnswer[] = [];
  const writing = writeAll(connection, pieces);
  for (const request of requests) {
    const answer = await connection.answer(request.method);
    if (answer === null)
      return { answers, problems: ["the connection ended without an answer"], isOpen: false };
    answers.push(answer);
    if (answer.isLast) break;
  }
  const isOpen = !answers.at(-1)?.isLast;
  if (isOpen) await writing;
  return { answers, problems: checkAnswers(world, requests, answers), isOpen };
}

/** Uses a separate connection, read to its end. */
async function alone(world: HostileWorld, { pieces, requests, ending }: HostileCase): Promise<Played> {
  const connection = await openConnection(world.baseUrl);
  try {
    await writeAll(connection, pieces);
    if (ending === "dropped") return { answers: [], problems: [] };
    const { answers, isEnded } = await readToEnd(connection, requests);
    const isAnswerDue = pieces.some((piece) => !isEmptyLines(piece));
    const nothing = answers.length === 0 && isAnswerDue ? ["it was closed without an answer"] : [];
    const endless = isEnded ? [] : ["it wasn't closed"];
    return { answers, problems: [...nothing, ...endless, ...checkAnswers(world, requests, answers)] };
  } finally {
    connection.destroy();
  }
}

/** A server ignores empty lines before a request (RFC 9112 section 2.2), so they are no request. */
const isEmptyLines = (piece: Buffer) => /^[\r\n]*$/.test(piece.toString("latin1"));

async function writeAll(connection: Connection, pieces: readonly Buffer[]): Promise<void> {
  for (const piece of pieces) await connection.write(piece);
}

async function readToEnd(connection: Connection, requests: readonly RequestLine[]) {
  const answers: WireAnswer[] = [];
  for (const { method } of requests) {
    const answer = await connection.answer(method);
    if (answer === null) return { answers, isEnded: true };
    answers.push(answer);
  }
  await connection.quiet(QUIET_MS);
  connection.endWriting();
  while (answers.length < ANSWERS_MAX) {
    const answer = await connection.answer("GET");
    if (answer === null) return { answers, isEnded: true };
    answers.push(answer);
  }
  return { answers, isEnded: false };
}

/** Responses beyond those to the requests must be errors for invalid bytes. */
function checkAnswers(
  world: HostileWorld,
  requests: readonly RequestLine[],
  answers: readonly WireAnswer[],
): readonly string[] {
  return answers.flatMap((answer, index) => problemsOf(world, requests[index] ?? null, answer));
}
