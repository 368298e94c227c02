import { InvalidArgumentError, Option } from "commander";
import type { AddCommands, Answer, Stoppable } from "./command";
import { parseId } from "./command";
import { openAccess, type AccessOptions } from "./listen/access";
import { createApi } from "./listen/api";
import type { ForwardResult } from "./listen/forward";
import { type HeardEvent, listen, LISTENER, type Told } from "./listen/listen";
import { openNotes } from "./listen/notes";

interface ListenCommandOptions extends AccessOptions {
  readonly forward: string;
  readonly since?: number;
  readonly endpoint?: string;
  readonly json?: boolean;
}

const LEFT = `
A listener that is killed leaves the endpoint that it made. The next one for the same organization on the same machine
removes it. Any other is described as “${LISTENER}” on the page Webhooks and in GET /webhooks: remove it there,
or by DELETE /webhooks/{id}.`;

export const addWebhookCommands: AddCommands = (program, _run, _runOnInstallation, runUntilStopped) => {
  program
    .command("webhook")
    .description("webhooks of an organization")
    .command("listen")
    .description("post the events of an organization to a program on this machine, until Ctrl-C")
    .requiredOption(
      "--forward <url>",
      "where your program takes them, such as http://localhost:4000/hook",
      parseUrl,
    )
    .option("--since <span>", "begin with what arose so long ago, such as 90s, 30m, 1h or 2d", parseSpan)
    .option(
      "--endpoint <id>",
      "fetch from this endpoint without a URL; one is made for the while when not given",
      parseId,
    )
    .addOption(
      new Option(
        "--key <key>",
        "API key with the scope webhooks:manage; one is made for the while when not given",
      ).env("WAYPOST_API_KEY"),
    )
    .option(
      "--url <url>",
      "address of the service that the key is of; the one on this machine when not given",
      parseUrl,
    )
    .option(
      "--org <id>",
      "whose events, where no key is given; the only one's, or the demo's, when not given",
      parseId,
    )
    .option("--json", "print JSON only, a line for each event and each try that failed")
    .addHelpText("after", LEFT)
    .action((options: ListenCommandOptions) =>
      runUntilStopped((stoppable) => run(stoppable, options), options),
    );
};

async function run(
  { beside, stopping, print, warn }: Stoppable,
  options: ListenCommandOptions,
): Promise<Answer> {
  const access = await openAccess(beside, options);
  try {
    const heard = await listen({
      api: createApi(access),
      forward: options.forward,
      endpointId: options.endpoint ?? null,
      sinceSeconds: options.since ?? null,
      notes: openNotes(),
      stopping,
      tell: options.json ? inJson(print, warn) : inWords(print, warn, options.forward),
    });
    return {
      json: { stopped: { taken: heard.taken, not_taken: heard.notTaken, erased: heard.erased } },
      text: `Stopped. ${heard.taken} taken, ${heard.notTaken} not taken${heard.erased === 0 ? "" : `, ${heard.erased} erased`}.`,
      exitCode: heard.leftEndpointId === null ? 0 : 1,
    };
  } finally {
    await access.end();
  }
}

type Print = (line: string) => void;

function inWords(print: Print, warn: Print, to: string): Told {
  return {
    listening: ({ id, secret }) => {
      print(`Events of endpoint ${id} are posted to ${to}. Ctrl-C ends that.`);
      if (secret !== null)
        print(`Secret ${secret} signs them. It is shown this once, and ends with this command.`);
    },
    failedTry: (event) => {
      const { againAfterMs } = event.failed;
      print(lineOf(event, [...wordsOf(event.failed), `again in ${againAfterMs / 1000} s`]));
    },
    handled: ({ result, ...event }) => print(lineOf(event, outcomeOf(result))),
    remark: warn,
  };
}

/** Of the longest type. */
const TYPE_COLUMNS = 17;
const ID_COLUMNS = 36;

function lineOf({ at, type, messageId }: HeardEvent, words: readonly string[]): string {
  const time = at.toTimeString().slice(0, 8);
  return [time, type.padEnd(TYPE_COLUMNS), (messageId ?? "").padEnd(ID_COLUMNS), ...words].join("  ");
}

function outcomeOf(result: ForwardResult | null): readonly string[] {
  if (result === null) return ["erased: there is nothing to post"];
  const often = `after ${result.tries} ${result.tries === 1 ? "try" : "tries"}`;
  if (!result.isTaken) return [...wordsOf(result), `given up ${often}`];
  return [...wordsOf(result), ...(result.tries === 1 ? [] : [often])];
}

const wordsOf = ({ status, failure, durationMs }: ForwardResult): readonly string[] => [
  String(status ?? failure),
  `${durationMs} ms`,
];

function inJson(print: Print, warn: Print): Told {
  const printJson = (value: object) => print(JSON.stringify(value));
  return {
    listening: ({ id, secret }) => printJson({ listening: { endpoint_id: id, secret } }),
    failedTry: ({ failed, ...event }) =>
      printJson({
        failed_try: {
          ...idsOf(event),
          status: failed.status,
          failure: failed.failure,
          duration_ms: failed.durationMs,
          tries: failed.tries,
          again_after_ms: failed.againAfterMs,
        },
      }),
    handled: ({ result, ...event }) =>
      printJson({
        event: {
          ...idsOf(event),
          status: result?.status ?? null,
          failure: result === null ? "erased" : result.failure,
          duration_ms: result?.durationMs ?? null,
          tries: result?.tries ?? 0,
        },
      }),
    remark: warn,
  };
}

const idsOf = ({ at, type, deliveryId, messageId }: HeardEvent) => ({
  at,
  type,
  delivery_id: deliveryId,
  message_id: messageId,
});

function parseUrl(text: string): string {
  const isHttp = /^https?:\/\//i.test(text) && URL.canParse(text);
  if (!isHttp)
    throw new InvalidArgumentError("Expected an http(s) address such as http://localhost:4000/hook.");
  return text;
}

const UNIT_SECONDS = { s: 1, m: 60, h: 3_600, d: 86_400 } as const;
const isUnit = (text: string): text is keyof typeof UNIT_SECONDS => Object.hasOwn(UNIT_SECONDS, text);

/** @returns seconds. */
function parseSpan(text: string): number {
  const [, count = "", unit = ""] = /^([1-9]\d{0,4})([a-z])$/.exec(text) ?? [];
  if (!isUnit(unit)) throw new InvalidArgumentError("Expected a span such as 90s, 30m, 1h or 2d.");
  return Number(count) * UNIT_SECONDS[unit];
}
