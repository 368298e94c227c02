import { BASE_PATH } from "./base-path";
/** A request to the public API, as it is shown in a sample. */
export interface SampleRequest {
  readonly operationId: string;
  readonly method: string;
  /** Below the base path. Its parameters are in braces, such as `/messages/{id}`. */
  readonly path: string;
  /** Values of the path's parameters. Without one, the sample reads it from an environment variable. */
  readonly pathValues?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number>>;
  /** JSON value of the body. */
  readonly body?: unknown;
  /** Name and media type of the file that is the body instead. */
  readonly file?: { readonly name: string; readonly contentType: string };
}

/** Start of a value that is only an example, and that whoever sends the request has to replace. */
export const VALUE_TO_REPLACE = "<YOUR VALUE";

/** The languages of samples, in the order in which they are shown. */
export const SAMPLE_LANGUAGES = [
  { language: "curl", title: "curl", fence: "sh" },
  { language: "typescript", title: "TypeScript", fence: "ts" },
  { language: "python", title: "Python", fence: "python" },
] as const;
export type SampleLanguage = (typeof SAMPLE_LANGUAGES)[number]["language"];

/** The file in which a sample stores what it downloads. */
const DOWNLOADED = "download";

/** The path of the public API. */

/**
 * Returns the request in each language. The samples read the address from `WAYPOST_URL` and the key from `WAYPOST_KEY`.
 * curl is for a POSIX shell, TypeScript uses waypost-client, and Python uses httpx.
 */
export function requestSamples(request: SampleRequest): Readonly<Record<SampleLanguage, string>> {
  return { curl: curlOf(request), typescript: typescriptOf(request), python: pythonOf(request) };
}

/** Returns the environment variable that a sample reads a path's parameter from, such as `MESSAGE_ID`. */
function variableOf({ path }: Pick<SampleRequest, "path">, name: string): string {
  const resource = /^\/(\w+?)s?\//.exec(path)?.[1] ?? "";
  return (name === "id" ? `${resource}_id` : name).toUpperCase();
}

/** Returns the path for a URL. @param variable returns the text that stands for a value that isn't known */
function pathWith(request: SampleRequest, variable: (name: string) => string): string {
  return request.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = request.pathValues?.[name];
    return value === undefined ? variable(name) : encodeURIComponent(value);
  });
}

/** Returns the environment variables that the samples read, besides `WAYPOST_URL` and `WAYPOST_KEY`. */
export const variablesOf = (request: SampleRequest): readonly string[] =>
  unknownIn(request).map((name) => variableOf(request, name));

/** Returns the names of the path's parameters whose values aren't known. */
function unknownIn({ path, pathValues = {} }: SampleRequest): readonly string[] {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  return names.filter((name) => !Object.hasOwn(pathValues, name));
}

function searchOf({ query = {} }: SampleRequest): string {
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  return search.size === 0 ? "" : `?${search.toString()}`;
}

function curlOf(request: SampleRequest): string {
  const { method, body, file } = request;
  const path = pathWith(request, (name) => `$${variableOf(request, name)}`);
  const isImplied = method === "GET" || (method === "POST" && (body !== undefined || file !== undefined));
  const lines = [
    `curl -sS ${isImplied ? "" : `-X ${method} `}"$WAYPOST_URL${BASE_PATH}${path}${searchOf(request)}"`,
    '-H "Authorization: Bearer $WAYPOST_KEY"',
  ];
  if (file !== undefined)
    lines.push(
      `-H ${shellWord(`Content-Type: ${file.contentType}`)}`,
      `-H ${shellWord(`X-Filename: ${encodeURIComponent(file.name)}`)}`,
      `--data-binary ${shellWord(`@${file.name}`)}`,
    );
  if (METHODS[request.operationId]?.isFile) lines.push(`-o ${DOWNLOADED}`);
  if (body === undefined) return lines.join(" \\\n  ");
  lines.push('-H "Content-Type: application/json"', "-d @- <<'JSON'");
  return `${lines.join(" \\\n  ")}\n${literal(body, "", JSON_SYNTAX)}\nJSON`;
}

function shellWord(text: string): string {
  if (/^[\w@./-]+$/.test(text)) return text;
  return /^[\w@./:;=+% -]+$/.test(text) ? `"${text}"` : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

interface Method {
  readonly call: string;
  /** Name for an entry of a list, which is read entry by entry, over all pages. */
  readonly entry?: string;
  /** Its answer is the bytes of a file. */
  readonly isFile?: true;
}

/** The client's method for an operation. */
const METHODS: Readonly<Record<string, Method>> = {
  ping: { call: "ping" },
  sendMessage: { call: "messages.send" },
  listMessages: { call: "messages.list", entry: "message" },
  getMessage: { call: "messages.get" },
  getMessageMedia: { call: "messages.media", isFile: true },
  markMessageRead: { call: "messages.markRead" },
  listThreads: { call: "threads.list", entry: "thread" },
  getThread: { call: "threads.get" },
  listContacts: { call: "contacts.list", entry: "contact" },
  getContact: { call: "contacts.get" },
  updateContact: { call: "contacts.update" },
  createUpload: { call: "uploads.create" },
  listChannels: { call: "channels.list", entry: "channel" },
  listTemplates: { call: "templates.list", entry: "template" },
  listWebhooks: { call: "webhooks.list", entry: "endpoint" },
  createWebhook: { call: "webhooks.create" },
  getWebhook: { call: "webhooks.get" },
  updateWebhook: { call: "webhooks.update" },
  deleteWebhook: { call: "webhooks.delete" },
  rotateWebhookSecret: { call: "webhooks.rotateSecret" },
  testWebhook: { call: "webhooks.test" },
  listDeliveries: { call: "webhooks.deliveries", entry: "delivery" },
  redeliver: { call: "webhooks.redeliver" },
  replay: { call: "webhooks.replay" },
};

/** @throws Error for an operation that the client has no method for. */
function typescriptOf(request: SampleRequest): string {
  const method = METHODS[request.operationId];
  if (!method) throw new Error(`No method of waypost-client is known for ${request.operationId}`);
  const { path, pathValues = {}, query, body, file } = request;
  const nameOf = (name: string) => camelCase(variableOf(request, name).toLowerCase());
  const values = [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) =>
      Object.hasOwn(pathValues, name) ? JSON.stringify(pathValues[name]) : nameOf(name),
    ),
    ...(file
      ? ["file", literal({ contentType: file.contentType, filename: file.name }, "", TYPESCRIPT)]
      : []),
    ...[query, body].filter((one) => one !== undefined).map((one) => literal(one, "", TYPESCRIPT)),
  ];
  const call = `waypost.${method.call}(${values.join(", ")})`;
  return [
    ...(file ? ['import { readFile } from "node:fs/promises";'] : []),
    ...(method.isFile ? ['import { writeFile } from "node:fs/promises";'] : []),
    'import { Waypost } from "waypost-client";',
    "",
    "const waypost = new Waypost({ apiKey: process.env.WAYPOST_KEY, baseUrl: process.env.WAYPOST_URL });",
    ...(file ? [`const file = await readFile(${JSON.stringify(file.name)});`] : []),
    ...unknownIn(request).map(
      (name) => `const ${nameOf(name)} = process.env.${variableOf(request, name)} ?? "";`,
    ),
    "",
    ...useOf(call, method, request),
  ].join("\n");
}

function useOf(call: string, { entry, isFile }: Method, { method }: SampleRequest): readonly string[] {
  if (isFile)
    return [
      `const response = await ${call};`,
      `await writeFile("${DOWNLOADED}", new Uint8Array(await response.arrayBuffer()));`,
    ];
  if (entry !== undefined)
    return [`for await (const ${entry} of ${call}) {`, `  console.log(${entry});`, "}"];
  return method === "DELETE" ? [`await ${call};`] : [`const result = await ${call};`, "console.log(result);"];
}

const camelCase = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

function pythonOf(request: SampleRequest): string {
  const { method, operationId, query, body, file } = request;
  const isDownload = METHODS[operationId]?.isFile;
  const unknown = unknownIn(request);
  const nameOf = (name: string) => variableOf(request, name).toLowerCase();
  const values = [
    `${unknown.length > 0 ? "f" : ""}"${pathWith(request, (name) => `{${nameOf(name)}}`)}"`,
    ...(query ? [`params=${literal(query, "    ", PYTHON)}`] : []),
    ...(body === undefined ? [] : [`json=${literal(body, "    ", PYTHON)}`]),
    ...(file ? [`content=Path(${JSON.stringify(file.name)}).read_bytes()`] : []),
    ...(file ? [`headers=${literal(fileHeaders(file), "    ", PYTHON)}`] : []),
  ];
  const given = values.length === 1 ? values.join("") : `\n    ${values.join(",\n    ")},\n`;
  return [
    "import os",
    ...(file || isDownload ? ["from pathlib import Path"] : []),
    "",
    "import httpx",
    "",
    "client = httpx.Client(",
    `    base_url=os.environ["WAYPOST_URL"] + "${BASE_PATH}",`,
    `    headers={"Authorization": "Bearer " + os.environ["WAYPOST_KEY"]},`,
    "    timeout=30,",
    ")",
    ...unknown.map((name) => `${nameOf(name)} = os.environ["${variableOf(request, name)}"]`),
    "",
    `response = client.${method.toLowerCase()}(${given})`,
    "response.raise_for_status()",
    ...(isDownload ? [`Path("${DOWNLOADED}").write_bytes(response.content)`] : printed(method)),
  ].join("\n");
}

const printed = (method: string) => (method === "DELETE" ? [] : ["print(response.json())"]);

const fileHeaders = ({ name, contentType }: { readonly name: string; readonly contentType: string }) => ({
  "Content-Type": contentType,
  "X-Filename": encodeURIComponent(name),
});

/** How a language writes the values of JSON. */
interface Syntax {
  readonly atom: (value: unknown) => string;
  readonly key: (name: string) => string;
  /** Indentation of what is inside a value. */
  readonly step: string;
  /** Between the braces and the content of an object on one line. */
  readonly space: string;
  /** After the last entry of a value that takes several lines. */
  readonly last: string;
}

const JSON_SYNTAX: Syntax = { atom: JSON.stringify, key: JSON.stringify, step: "  ", space: " ", last: "" };

const TYPESCRIPT: Syntax = {
  ...JSON_SYNTAX,
  key: (name) => {
    // In quotes too, it would set the object's prototype.
    if (name === "__proto__") return '["__proto__"]';
    return /^[a-z_$][\w$]*$/i.test(name) ? name : JSON.stringify(name);
  },
  last: ",",
};

const PYTHON_WORDS = new Map<unknown, string>([
  [true, "True"],
  [false, "False"],
  [null, "None"],
]);

const PYTHON: Syntax = {
  atom: (value) => PYTHON_WORDS.get(value) ?? JSON.stringify(value),
  key: JSON.stringify,
  step: "    ",
  space: "",
  last: ",",
};

/** Longest value that is written on one line. */
const LINE_CHARACTERS_MAX = 72;

/** Writes a JSON value. One without values in it takes a single line if it is short. */
function literal(value: unknown, indent: string, syntax: Syntax): string {
  if (typeof value !== "object" || value === null) return syntax.atom(value);
  const isList = Array.isArray(value);
  const [open, close, space] = isList ? ["[", "]", ""] : ["{", "}", syntax.space];
  const isFlat = Object.values(value).every((one) => typeof one !== "object" || one === null);
  const parts = Object.entries(value).map(
    ([name, one]) => (isList ? "" : `${syntax.key(name)}: `) + literal(one, indent + syntax.step, syntax),
  );
  const line = parts.join(", ");
  if (parts.length === 0) return open + close;
  if (isFlat && indent.length + line.length <= LINE_CHARACTERS_MAX)
    return open + space + line + space + close;
  const inner = parts.map((part) => `\n${indent}${syntax.step}${part}`).join(",");
  return `${open}${inner}${syntax.last}\n${indent}${close}`;
}
