import { randomBytes, randomInt } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { controlCalls } from "./control";
import { outcomes } from "./outcomes";
import { refuseStart, runSimulator } from "./run";
import type { Simulator } from "./start";
import { phoneNumberSchema, type PhoneNumber } from "./numbers";

const portDefault = 3001;
const callbackDefault = "http://localhost:3000/webhook";
const registerTimeoutMs = 10_000;

const HELP = `Usage: waypost-simulator [options]

Runs a WhatsApp Cloud API for tests on this machine, until Ctrl-C or SIGTERM: it takes messages, media and templates,
sends signed callbacks, and plays customers who read and write. Prints its address, and a number with its credentials.

Options:
  --callback-url URL        where the callbacks go (default ${callbackDefault})
  --port PORT               port on the loopback address (default ${portDefault}; 0 takes any free one)
  --data DIRECTORY          keeps messages, numbers and the clock there (default: a new directory, removed at the end)
  --phone-number-id ID      id of the number; the other values of it are random unless given:
  --waba-id ID              id of its business account
  --display-phone-number N  the number as shown
  --access-token TOKEN      token that the calls must have
  --app-secret SECRET       secret that signs the callbacks
  --verify-token TOKEN      token in the verification of the callback address
  --host-name NAME          another host name that callers use, a container's for example; can be repeated
  --json                    prints one line of JSON instead
  --list                    lists the recipients that choose what happens to a message, and the simulator's own calls
  --help                    prints this
`;

const options = {
  "callback-url": { type: "string", default: callbackDefault },
  port: { type: "string", default: String(portDefault) },
  data: { type: "string" },
  "phone-number-id": { type: "string" },
  "waba-id": { type: "string" },
  "display-phone-number": { type: "string" },
  "access-token": { type: "string" },
  "app-secret": { type: "string" },
  "verify-token": { type: "string" },
  "host-name": { type: "string", multiple: true },
  json: { type: "boolean" },
  list: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

interface Command {
  readonly port: number;
  readonly data: string | null;
  readonly hostNames: readonly string[];
  readonly isJson: boolean;
  readonly number: PhoneNumber;
}

/** Entry point of the package `waypost-simulator`. Ends the process when the simulator has ended. */
export async function runCommand(argv: readonly string[]): Promise<void> {
  process.exit(await run(argv));
}

async function run(argv: readonly string[]): Promise<number> {
  const command = readCommand(argv);
  if (typeof command === "string") {
    process.stdout.write(command);
    return 0;
  }
  if ("problem" in command) return refuseStart([command.problem, "--help lists the options."]);
  const { port, hostNames, data } = command;
  const directory = data ?? (await mkdtemp(join(tmpdir(), "waypost-simulator-")));
  try {
    return await runSimulator({
      port,
      hostNames,
      directory,
      settingNames: { port: "--port", directory: "--data" },
      greeting: (simulator) => greet(simulator, command),
    });
  } finally {
    if (data === null) await rm(directory, { recursive: true, force: true });
  }
}

/** Returns the text to print, if the arguments ask for one. */
function readCommand(argv: readonly string[]): Command | string | { readonly problem: string } {
  let values;
  try {
    ({ values } = parseArgs({ args: [...argv], options, allowPositionals: false }));
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
  if (values.help) return HELP;
  if (values.list) return list();
  const port = /^[0-9]{1,5}$/.test(values.port) ? Number(values.port) : NaN;
  if (!(port <= 65_535)) return { problem: `--port: expected a port from 0 to 65535, got "${values.port}"` };
  const number = phoneNumberSchema.safeParse({
    phone_number_id: values["phone-number-id"] ?? randomDigits(),
    waba_id: values["waba-id"] ?? randomDigits(),
    display_phone_number: values["display-phone-number"] ?? "+1 555-010-0100",
    access_token: values["access-token"] ?? `EAA${randomBytes(24).toString("base64url")}`,
    app_secret: values["app-secret"] ?? randomBytes(16).toString("hex"),
    callback_url: values["callback-url"],
    verify_token: values["verify-token"] ?? randomBytes(9).toString("base64url"),
  });
  if (!number.success) {
    const [issue] = number.error.issues;
    return { problem: `--${String(issue?.path[0]).replaceAll("_", "-")}: ${issue?.message ?? "invalid"}` };
  }
  return {
    port,
    data: values.data === undefined ? null : resolve(values.data),
    hostNames: values["host-name"] ?? [],
    isJson: values.json ?? false,
    number: number.data,
  };
}

function list(): string {
  const recipients = outcomes.map(
    ({ suffix, name, description }) => `  ${suffix ?? "others"}  ${name}: ${description}`,
  );
  const calls = controlCalls.map(({ method, path, description, example }) => {
    const body = example === null ? "" : `\n      ${JSON.stringify(example)}`;
    return `  ${method} ${path}\n      ${description}${body}`;
  });
  return [
    "The last five digits of a recipient choose what happens to a message:",
    "",
    ...recipients,
    "",
    "The simulator's own calls, which need no credentials:",
    "",
    ...calls,
    "",
  ].join("\n");
}

const randomDigits = () => String(randomInt(1e14, 2.8e14));

/** Registers the number, as Waypost does with its own. */
async function greet({ url }: Simulator, { number, isJson }: Command): Promise<string> {
  const response = await fetch(`${url}/simulator/numbers`, {
    method: "PUT",
    body: JSON.stringify({ numbers: [number] }),
    signal: AbortSignal.timeout(registerTimeoutMs),
  });
  if (!response.ok) throw new Error(`The number was refused: ${await response.text()}`);
  if (isJson) return `${JSON.stringify({ url, ...number })}\n`;
  return `WhatsApp simulator: ${url}

  Number         ${number.phone_number_id} (business account ${number.waba_id})
  Access token   ${number.access_token}
  App secret     ${number.app_secret}
  Verify token   ${number.verify_token}
  Callbacks to   ${number.callback_url}

Send a message:

curl -sS ${url}/v24.0/${number.phone_number_id}/messages \\
  -H 'Authorization: Bearer ${number.access_token}' -H 'Content-Type: application/json' \\
  -d '{"messaging_product":"whatsapp","to":"4915112345678","type":"text","text":{"body":"Hello"}}'
`;
}
