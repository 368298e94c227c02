import { BASE_PATH } from "@/e2e/support/api";
import { asJson } from "@/e2e/support/contract";
import { catalogueEntry, isErrorCode } from "@/server/platform/errors";
import { CALLBACK_PREFIX } from "./callbacks";
import type { RequestLine } from "./case";
import type { WireAnswer } from "./wire";
import type { HostileWorld } from "./world";

/** Text that only internal errors contain. */
const INTERNAL =
  /node_modules|TypeError|RangeError|SyntaxError|postgres|violates|relation "|\bat .+:\d+:\d+/i;
/** A path that the document lacks: its response must be a refusal in the envelope. */
const NOWHERE = "/nowhere/at/all";

type CheckedWorld = Pick<HostileWorld, "contract" | "mount">;

/** Describes how a response to this request violates the contract; null for bytes that are no valid request. */
export function problemsOf(
  world: CheckedWorld,
  request: RequestLine | null,
  answer: WireAnswer,
): readonly string[] {
  const { status, text } = answer;
  const { code } = asJson(asJson(parse(text)).error);
  return [
    ...(status >= 500 ? [`answered ${status}`] : []),
    ...(status >= 400 && INTERNAL.test(text) ? ["tells internals"] : []),
    ...(typeof code === "string" ? problemsOfCode(code, status) : []),
    ...(request === null ? problemsOfUnknown(world, answer) : problemsOfRequest(world, request, answer)),
  ];
}

function problemsOfCode(code: string, status: number): readonly string[] {
  if (!isErrorCode(code)) return [`the code ${code} is in no catalogue`];
  const { status: usual, statusOfGet } = catalogueEntry(code);
  return [usual, statusOfGet].includes(status) ? [] : [`${code} was answered with ${status}`];
}

/** A random change can leave a request valid. */
function problemsOfUnknown(world: CheckedWorld, answer: WireAnswer): readonly string[] {
  return answer.status < 400 ? [] : outsideOf(world, "GET", answer);
}

function problemsOfRequest(
  world: CheckedWorld,
  { method, target }: RequestLine,
  answer: WireAnswer,
): readonly string[] {
  if (method === "HEAD") return answer.text === "" ? [] : ["an answer to HEAD has a body"];
  const path = pathOf(target);
  if (path.startsWith(`${BASE_PATH}/`)) return insideOf(world, method, path.slice(BASE_PATH.length), answer);
  if (path.startsWith(CALLBACK_PREFIX)) return answer.status < 300 ? [] : outsideOf(world, method, answer);
  return path.startsWith("/api") ? outsideOf(world, method, answer) : [];
}

/** Returns the path of a target in any of its forms. */
function pathOf(target: string): string {
  const [path = ""] = target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?]*/i, "").split("?", 1);
  return path;
}

function insideOf(
  { contract, mount }: CheckedWorld,
  method: string,
  path: string,
  answer: WireAnswer,
): readonly string[] {
  const isNexts = mount === "next" && isChangedByNext(path);
  if (isNexts) return [];
  // Refused before the request reaches Next.
  const isEarly = mount === "next" && !(METHODS_OF_NEXT.has(method) && isDecodable(path));
  return checked(() => contract.check(method, isEarly ? NOWHERE : path, answer));
}

/** Next gives a route handler a URL with resolved dot segments, and redirects doubled slashes. */
function isChangedByNext(path: string): boolean {
  return /\/\/|\\|(^|\/)(\.|%2e){1,2}(\/|$)/i.test(path);
}

const METHODS_OF_NEXT = new Set(["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"]);

function isDecodable(path: string): boolean {
  try {
    return decodeURIComponent(path) !== "";
  } catch {
    return false;
  }
}

function outsideOf({ contract }: CheckedWorld, method: string, answer: WireAnswer): readonly string[] {
  return checked(() => contract.check(method, NOWHERE, answer));
}

function checked(check: () => void): readonly string[] {
  try {
    check();
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
