import { execFileSync } from "node:child_process";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { requestSamples, type SampleRequest } from "./request-samples";

/** Values that break a sample whose language isn't written exactly. */
const HOSTILE = {
  text: `it's "quoted" \\ $HOME \`id\` \${1}\r\n\u2028JSON\n`,
  "not-a-name": [true, false, null, 0.5, { ["__proto__"]: { a: 1 }, "1": "" }, [], {}],
  emoji: "👋🏽",
} as const;

const request: SampleRequest = {
  operationId: "sendMessage",
  method: "POST",
  path: "/messages",
  body: HOSTILE,
};

/** Returns the arguments and the input of the curl that a shell runs for a sample. */
function inShell(sample: string): { args: string[]; input: string } {
  const script = `curl() { node -e 'console.log(JSON.stringify({ args: process.argv.slice(1), input: require("fs").readFileSync(0, "utf8") }))' -- "$@"; }\n${sample}`;
  const env = { ...process.env, WAYPOST_URL: "http://waypost", WAYPOST_KEY: "ak", MESSAGE_ID: "m" };
  return JSON.parse(execFileSync("sh", ["-ec", script], { env, encoding: "utf8", input: "" }));
}

test("the body of each sample is the body of the request, whatever it contains", () => {
  const { curl, typescript, python } = requestSamples(request);
  expect(JSON.parse(inShell(curl).input)).toEqual(HOSTILE);
  const ofTypescript = /send\((.*)\);\nconsole/s.exec(typescript)?.[1] ?? "";
  expect(JSON.stringify(runInNewContext(`(${ofTypescript})`))).toBe(JSON.stringify(HOSTILE));
  const ofPython = /json=(.*),\n\)/s.exec(python)?.[1] ?? "";
  const dumped = execFileSync(
    "python3",
    ["-c", "import json, sys; print(json.dumps(eval(sys.stdin.read())))"],
    {
      input: ofPython,
      encoding: "utf8",
    },
  );
  expect(JSON.parse(dumped)).toEqual(HOSTILE);
});

test("a shell passes path, query and file names on unchanged", () => {
  const { args } = inShell(
    requestSamples({
      operationId: "listMessages",
      method: "GET",
      path: "/messages",
      query: { client_message_id: "a b&c=$HOME", limit: 20 },
    }).curl,
  );
  expect(args).toContain(
    "http://waypost/api/public/v1/messages?client_message_id=a+b%26c%3D%24HOME&limit=20",
  );
  const file = { name: "it's $HOME.jpg", contentType: "image/jpeg" };
  const upload = { operationId: "createUpload", method: "POST", path: "/uploads", file };
  expect(inShell(requestSamples(upload).curl).args).toEqual(
    expect.arrayContaining([`@${file.name}`, "Content-Type: image/jpeg", "X-Filename: it's%20%24HOME.jpg"]),
  );
});

test("a path's parameter is its value, or a variable that is named after what it identifies", () => {
  const one = { operationId: "getMessage", method: "GET", path: "/messages/{id}" };
  expect(inShell(requestSamples(one).curl).args).toContain("http://waypost/api/public/v1/messages/m");
  const known = requestSamples({ ...one, pathValues: { id: "a/b" } });
  expect(inShell(known.curl).args).toContain("http://waypost/api/public/v1/messages/a%2Fb");
  expect(known.typescript).toContain('messages.get("a/b")');
  expect(known.python).toContain('"/messages/a%2Fb"');
});

test("an operation that the client has no method for is reported", () => {
  expect(() => requestSamples({ ...request, operationId: "sendFax" })).toThrow(/sendFax/);
});
