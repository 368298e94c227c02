/**
 * The subset of curl that the documentation's examples use: curl isn't installed everywhere. Prints the response's
 * body, and appends a line `{ status, body }` to the file named by ANSWERS, if that is set.
 */
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";

const TIMEOUT_MS = 20_000;
const STDIN = 0;

/** @param {string} value `@-`, `@FILE`, or the body itself. */
function bodyOf(value) {
  if (!value.startsWith("@")) return value;
  return new Uint8Array(readFileSync(value === "@-" ? STDIN : value.slice(1)));
}

/** @param {string[]} args */
function requestOf(args) {
  const headers = new Headers();
  /** @type {{ url: string, method?: string, body?: string | Uint8Array<ArrayBuffer>, isHeadShown: boolean, output?: string }} */
  const request = { url: "", isHeadShown: false };
  for (let arg = args.shift(); arg !== undefined; arg = args.shift()) {
    const value = () => args.shift() ?? "";
    if (arg === "-H") {
      const [name = "", text = ""] = value().split(": ", 2);
      headers.set(name, text);
    } else if (arg === "-X") request.method = value();
    else if (arg === "-d" || arg === "--data-binary") request.body = bodyOf(value());
    else if (arg === "-o") request.output = value();
    else if (arg === "-i") request.isHeadShown = true;
    else if (!arg.startsWith("-")) request.url = arg;
    else if (arg !== "-sS") throw new Error(`This curl doesn't know ${arg}`);
  }
  return { ...request, headers };
}

/** @param {string[]} args */
async function run(args) {
  const { url, method, body, headers, isHeadShown, output } = requestOf(args);
  const response = await fetch(url, {
    method: method ?? (body === undefined ? "GET" : "POST"),
    headers,
    ...(body === undefined ? {} : { body }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  const text = bytes.toString("utf8");
  const { ANSWERS } = process.env;
  if (ANSWERS) appendFileSync(ANSWERS, `${JSON.stringify({ status: response.status, body: text })}\n`);
  if (output) writeFileSync(output, bytes);
  else
    process.stdout.write(
      isHeadShown ? `HTTP/1.1 ${response.status} ${response.statusText}\n\n${text}` : text,
    );
}

await run(process.argv.slice(2));
