import type { Documentation } from "@/server/boot/documentation";
import { Fold, Prose, Table } from "../parts/article";
import { Code } from "../parts/code";
import { documentation } from "../parts/documentation";

/** The numbers that choose the outcome of a message. */
export async function Outcomes() {
  const { simulated } = await documentation();
  return [...new Set(simulated.map(({ group }) => group))].map((group) => (
    <Group key={group} group={group} rows={simulated.filter((row) => row.group === group)} />
  ));
}

const PAUSES = "Pauses the channel.";
const STOPS = "Stops the template.";

/** Longer groups, with a row for each of WhatsApp's errors, are collapsed. */
const ROWS_SHOWN_MAX = 24;

function Group({ group, rows }: { group: string; rows: Documentation["simulated"] }) {
  const table = (
    <Table
      head={["Last digits", "Outcome"]}
      rows={rows.map(({ suffix, description, pausesChannel, stopsTemplate }) => ({
        key: suffix ?? "any other",
        cells: [
          suffix === null ? "any other" : <code key="suffix">{suffix}</code>,
          <span key="description">
            <Prose text={description} />
            {pausesChannel ? " " : null}
            {pausesChannel ? <em>{PAUSES}</em> : null}
            {stopsTemplate ? " " : null}
            {stopsTemplate ? <em>{STOPS}</em> : null}
          </span>,
        ],
      }))}
    />
  );
  if (rows.length > ROWS_SHOWN_MAX) return <Fold title={`${group}: ${rows.length} numbers`}>{table}</Fold>;
  return (
    <>
      <h3>{group}</h3>
      {table}
    </>
  );
}

/** The calls of the simulator's own API, each with an example. */
export async function ControlCalls() {
  const { simulatorCalls } = await documentation();
  return simulatorCalls.map((call) => <Call key={call.description} call={call} />);
}

function Call({ call }: { call: Documentation["simulatorCalls"][number] }) {
  const lines = linesFor(call);
  return (
    <section>
      <h3>
        <code>
          {call.method} {call.path}
        </code>
      </h3>
      <p>
        <Prose text={call.description} />
      </p>
      {lines === null ? null : (
        <Code language="sh" text={lines} answers={call.isForAllNumbers ? undefined : "200"} />
      )}
    </section>
  );
}

/** Placeholders in the examples, with their shell variables. */
const PLACEHOLDERS = [
  ["{phone_number_id}", "$PHONE_NUMBER_ID"],
  ['"PHONE_NUMBER_ID"', '"$PHONE_NUMBER_ID"'],
  ['"TEMPLATE"', '"$TEMPLATE"'],
] as const;

/** Returns null if the path contains something that the reader has no variable for. */
function linesFor({ method, path, example }: Documentation["simulatorCalls"][number]): string | null {
  const address = `curl -sS ${method === "GET" ? "" : `-X ${method} `}"$SIMULATOR_URL${path}"`;
  const body =
    example === null
      ? ""
      : ` \\\n  -H "Content-Type: application/json" \\\n  -d @- <<JSON\n${JSON.stringify(example, null, 2)}\nJSON`;
  const lines = PLACEHOLDERS.reduce((text, [from, to]) => text.replaceAll(from, to), address + body);
  return /\{[a-z_]+\}/.test(lines) ? null : lines;
}

/** The names by which the simulator's API takes WhatsApp's errors. */
export async function NamedErrors() {
  const { simulatorErrors } = await documentation();
  return (
    <Table
      isStacked
      head={["Name", "Meta’s code", "Meta’s title"]}
      rows={simulatorErrors.map(({ name, code, title }) => ({
        key: name,
        cells: [<code key="name">{name}</code>, code, title],
      }))}
    />
  );
}
