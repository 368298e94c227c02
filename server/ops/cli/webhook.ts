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
If a listener is killed, the endpoint and the key that it created remain. The next listener for the same organization on the
same machine removes the endpoint. The key expires seven days after it was created. To remove any other endpoint, find the
description “${LISTENER}” on the Webhooks page and remove it there, or find it with GET /webhooks and use DELETE /webhooks/{id}.`;

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
      "URL of your program, such as http://localhost:4000/hook; if not given, events are only shown",
      parseUrl,
    )
    .option("--since <span>", "start with events of this age, such as 90s, 30m, 1h or 2d", parseSpan)
    .option(
      "--endpoint <id>",
      "fetch from this endpoint without a URL; if not given, one is created, and removed at the end",
      parseId,
    )
    .addOption(
      new Option(
        "--key <key>",
        "API key with the scope webhooks:manage; if not given, one is created, and revoked at the end",
      ).env("WAYPOST_API_KEY"),
    )
    .option(
      "--url <url>",
      "URL of the service that the key belongs to; the service on this machine if not given",
      parseUrl,
    )
    .option(
      "--org <id>",
      "organization of the events, if no key is given; the only organization or the demo if not given",
      parseId,
    )
    .option("--json", "print JSON only, one line for each event and each failed attempt")
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
  return `Stopped. ${taken} accepted, ${notTaken} not accepted${erased === 0 ? "" : `, ${erased} erased`}.`;
}

type Print = (line: string) => void;

function inWords(print: Print, warn: Print, to: string | null): ListenReporter {
  return {
    listening: ({ id, organizationId, secret }) => {
      const events = `Events of organization ${organizationId}, fetched from endpoint ${id}, are`;
      if (to === null)
        return print(`${events} shown here. To post them too, use --forward URL. Stop with Ctrl-C.`);
      print(`${events} posted to ${to}. Stop with Ctrl-C.`);
      if (secret !== null)
        print(`Secret ${secret} signs these events. It is shown only once and ends with this command.`);
    },
    failedTry: (event) => {
      const { againAfterMs } = event.failed;
      print(lineOf(event, [...wordsOf(event.failed), `retry in ${againAfterMs / 1000} s`]));
    },
    handled: ({ result, ...event }) => print(lineOf(event, outcomeOf(result))),
    remark: warn,
  };
}

/** Length of the longest type. */
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
  const often = `after ${result.tries} ${result.tries === 1 ? "attempt" : "attempts"}`;
  if (!result.isAccepted) return [...wordsOf(result), `failed ${often}`];
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

/** Events that are only shown have no outcome. */
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
  if (!isUnit(unit)) throw new InvalidArgumentError("Expected a time span such as 90s, 30m, 1h or 2d.");
  return Number(count) * UNIT_SECONDS[unit];
}
