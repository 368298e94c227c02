import { InvalidArgumentError, Option } from "commander";
import type { AddCommands, Answer, Stoppable } from "./command";
import { parseId } from "./command";
import { openAccess, type AccessOptions } from "./listen-access";
import { createApi } from "./listen/api";
import type { ForwardResult } from "./listen/forward";
import {
  type HandledEvent,
  type ListenCounts,
  type ReceivedEvent,
  listen,
  LISTENER,
  type ListenReporter,
} from "./listen/listen";
import { openNotes } from "./listen/notes";

interface ListenCommandOptions extends AccessOptions {
  readonly forward?: string;
  readonly since?: number;
  readonly endpoint?: string;
  readonly json?: boolean;
}

const LEFT = `
A listener that is killed leaves the endpoint and the key that it made. The next one for the same organization on the
same machine removes the endpoint; the key expires seven days after it was made. Any other endpoint is described as “${LISTENER}” on the page Webhooks and in GET /webhooks: remove it there,
or by DELETE /webhooks/{id}.`;

export const addWebhookCommands: AddCommands = (program, _run, _runOnInstallation, runUntilStopped) => {
  program
    .command("webhook")
    .description("webhooks of an organization")
    .command("listen")
    .description(
      "show the events of an organization, or post them to a program on this machine, until Ctrl-C",
    )
    .option(
      "--forward <url>",
      "where your program takes them, such as http://localhost:4000/hook; when not given they are only shown",
      parseUrl,
    )
    .option("--since <span>", "begin with what arose so long ago, such as 90s, 30m, 1h or 2d", parseSpan)
    .option(
      "--endpoint <id>",
      "fetch from this endpoint without a URL; when not given, one is made, and removed at the end",
      parseId,
    )
    .addOption(
      new Option(
        "--key <key>",
        "API key with the scope webhooks:manage; when not given, one is made, and revoked at the end",
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
  { optionalInstallation, stopping, print, warn }: Stoppable,
  options: ListenCommandOptions,
): Promise<Answer> {
  const access = await openAccess(optionalInstallation, options);
  try {
    const counts = await listen({
      api: createApi(access),
      forward: options.forward ?? null,
      endpointId: options.endpoint ?? null,
      sinceSeconds: options.since ?? null,
      notes: openNotes(),
      stopping,
      reporter: options.json ? inJson(print, warn) : inWords(print, warn, options.forward ?? null),
    });
    return {
      json: {
        stopped: {
          taken: counts.taken,
          not_taken: counts.notTaken,
          erased: counts.erased,
          shown: counts.shown,
        },
      },
      text: options.forward === undefined ? `Stopped. ${counts.shown} shown.` : countsOf(counts),
      exitCode: counts.leftEndpointId === null ? 0 : 1,
    };
  } finally {
    await access.end();
  }
}

function countsOf({ taken, notTaken, erased }: ListenCounts): string {
  return `Stopped. ${taken} taken, ${notTaken} not taken${erased === 0 ? "" : `, ${erased} erased`}.`;
}

type Print = (line: string) => void;

function inWords(print: Print, warn: Print, to: string | null): ListenReporter {
  return {
    listening: ({ id, organizationId, secret }) => {
      const events = `Events of organization ${organizationId}, fetched from endpoint ${id}, are`;
      if (to === null) return print(`${events} shown; --forward URL posts them, too. Ctrl-C ends that.`);
      print(`${events} posted to ${to}. Ctrl-C ends that.`);
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

function lineOf({ at, type, messageId }: ReceivedEvent, words: readonly string[]): string {
  const time = at.toTimeString().slice(0, 8);
  const about = [time, type.padEnd(TYPE_COLUMNS), (messageId ?? "").padEnd(ID_COLUMNS), ...words];
  return about.join("  ").trimEnd();
}

function outcomeOf(result: HandledEvent["result"]): readonly string[] {
  if (result === "shown") return [];
  if (result === "erased") return ["erased: there is nothing to post"];
  const often = `after ${result.tries} ${result.tries === 1 ? "try" : "tries"}`;
  if (!result.isAccepted) return [...wordsOf(result), `given up ${often}`];
  return [...wordsOf(result), ...(result.tries === 1 ? [] : [often])];
}

const wordsOf = ({ status, failure, durationMs }: ForwardResult): readonly string[] => [
  String(status ?? failure),
  `${durationMs} ms`,
];

function inJson(print: Print, warn: Print): ListenReporter {
  const printJson = (value: object) => print(JSON.stringify(value));
  return {
    listening: ({ id, organizationId, secret }) =>
      printJson({ listening: { organization_id: organizationId, endpoint_id: id, secret } }),
    failedTry: ({ failed, ...event }) =>
      printJson({
        failed_try: { ...idsOf(event), ...outcomeInJson(failed), again_after_ms: failed.againAfterMs },
      }),
    handled: ({ result, ...event }) =>
      printJson({
        event: {
          ...idsOf(event),
          ...outcomeInJson(result),
        },
      }),
    remark: warn,
  };
}

/** What is only shown has no outcome. */
function outcomeInJson(result: HandledEvent["result"]) {
  if (typeof result === "string") {
    return { status: null, failure: result === "erased" ? result : null, duration_ms: null, tries: 0 };
  }
  const { status, failure, durationMs, tries } = result;
  return { status, failure, duration_ms: durationMs, tries };
}

const idsOf = ({ at, type, eventId, deliveryId, messageId }: ReceivedEvent) => ({
  at,
  type,
  event_id: eventId,
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
