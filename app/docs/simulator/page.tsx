import type { Metadata } from "next";
import Link from "next/link";
import type { Documentation } from "@/server/boot/documentation";
import { getRuntime } from "@/app/runtime";
import { Article, Fold, Heading, Note, Prose, Table } from "../parts/article";
import { Command, Shell } from "../parts/code";

export const metadata: Metadata = { title: "Simulated WhatsApp" };

const FROM_DEMO = `export SIMULATOR_URL=$(from_demo simulator_url)
export PHONE_NUMBER_ID=$(from_demo phone_number_ids.default)
export TEMPLATE=$(from_demo templates.approved.name)`;

const WRITE = `curl -sS "$SIMULATOR_URL/simulator/inbound" \\
  -H "Content-Type: application/json" \\
  -d @- <<JSON
{
  "phone_number_id": "$PHONE_NUMBER_ID",
  "from": "4915112399011",
  "text": { "body": "Where is my parcel?" }
}
JSON`;

const SEND = `curl -sS "$WAYPOST_URL/api/public/v1/messages" \\
  -H "Authorization: Bearer $WAYPOST_KEY" \\
  -H "Content-Type: application/json" \\
  -d @- <<JSON
{
  "client_message_id": "parcel-1",
  "type": "text",
  "to": { "kind": "whatsapp", "handle": "4915112399011" },
  "text": { "body": "It is on its way." }
}
JSON`;

const FAIL = `curl -sS -X PUT "$SIMULATOR_URL/simulator/numbers/$PHONE_NUMBER_ID/failure" \\
  -H "Content-Type: application/json" \\
  -d '{ "error": "access_token_invalid" }'`;

const RECOVER = `curl -sS -X PUT "$SIMULATOR_URL/simulator/numbers/$PHONE_NUMBER_ID/failure" \\
  -H "Content-Type: application/json" \\
  -d '{ "error": null }'`;

const APPROVE = `curl -sS -X PUT "$SIMULATOR_URL/simulator/templates/state" \\
  -H "Content-Type: application/json" \\
  -d @- <<JSON
{ "phone_number_id": "$PHONE_NUMBER_ID", "name": "$TEMPLATE", "language": "en_US", "state": "APPROVED" }
JSON`;

const LEDGER = `curl -sS "$SIMULATOR_URL/ledger"`;

export default async function SimulatorPage() {
  const { simulated, simulatorCalls, simulatorErrors } = (await getRuntime()).documentation;
  const groups = [...new Set(simulated.map(({ group }) => group))];
  return (
    <Article
      path="/docs/simulator"
      lead="It speaks Meta’s WhatsApp Cloud API over HTTP, signed callbacks included, so nothing in Waypost knows that it isn’t the real one."
    >
      <p>
        It runs along with the embedded default, on a loopback address that the start prints. The demo
        organization that <Link href="/docs/first-message">Your first message</Link> made has two numbers on
        it; <code>from_demo</code> is defined there, too:
      </p>
      <Shell lines={FROM_DEMO} answers={[]} inCheckout />

      <Heading id="write">Write as a customer</Heading>
      <Shell lines={WRITE} answers={[200]} />
      <p>
        This opens the customer window for the number as soon as Waypost has processed the callback, usually
        within a second. Wait for that before the next sample: a text sent earlier is refused with{" "}
        <code>outside_customer_window</code>. <code>type</code> can also be an image, a location, a reaction
        or another of the kinds that are listed under <Link href="#calls">its own calls</Link>, with the
        content in Meta’s form under its name.
      </p>

      <Heading id="outcomes">Choose what becomes of a message</Heading>
      <p>
        The last five digits of the recipient decide. This one is accepted, and then fails as{" "}
        <Link href="/docs/errors#undeliverable">
          <code>undeliverable</code>
        </Link>
        :
      </p>
      <Shell lines={SEND} answers={[201]} />
      <p>
        A second message to a number that failed so is refused as{" "}
        <Link href="/docs/errors#recipient_unreachable">
          <code>recipient_unreachable</code>
        </Link>{" "}
        for 24 hours, or until its owner writes or gets a message after all. Every other number’s owner reads
        the message within half a second.
      </p>
      <Note>
        <p>
          Rows that end with <em>{PAUSES}</em> stop the whole channel, as in reality: everyone’s messages on
          it wait. Where the token, the account or the number is said to be at fault, Waypost goes on about a
          minute after that is mended; where messages are limited or blocked, it tries one an hour.{" "}
          <Command line="npm run waypost -- channel resume CHANNEL_ID" /> ends a pause at once.
        </p>
        <p>
          A message that is refused at every call pauses the channel again whenever it is tried, for 12 hours
          at most. <Command line="npm run waypost -- contact erase --org ORGANIZATION_ID --number NUMBER" />{" "}
          ends it earlier. Try such numbers on a channel that nobody needs.
        </p>
        <p>
          Rows that end with <em>{STOPS}</em> change the template for every recipient: further messages with
          it are refused with <code>template_not_approved</code>, until{" "}
          <code>PUT /simulator/templates/state</code> says <code>APPROVED</code>.
        </p>
        <p>
          A message of which nothing is heard fails after 15 minutes; Waypost’s variable{" "}
          <code>WAYPOST_UNCONFIRMED_AFTER_SECONDS=60</code> makes it one. <code>expired</code> comes after 12
          hours, and nothing shortens that.
        </p>
      </Note>
      {groups.map((group) => (
        <Outcomes key={group} group={group} rows={simulated.filter((row) => row.group === group)} />
      ))}

      <Heading id="templates">Templates and media</Heading>
      <p>
        Both are Meta’s own calls, with its rules. A template that is submitted is decided at once by the end
        of its name: <code>_pending</code>, <code>_rejected</code>, <code>_paused</code> and{" "}
        <code>_disabled</code> give that state, any other is approved; a callback tells of it, and a message
        with a template in another state or with other variables is refused as Meta refuses it. An upload is
        checked against Meta’s limits of type and size; its id can be sent for 30 days, on the number that it
        was uploaded to. The file itself isn’t kept. Media that a message names by <code>url</code> is never
        fetched.
      </p>

      <Heading id="ledger">See what arrived</Heading>
      <p>
        The ledger lists every call and every message that it took, to prove that nothing was handed over
        twice:
      </p>
      <Shell lines={LEDGER} answers={[200]} />

      <Heading id="calls">Its own calls</Heading>
      <p>
        These are none of Meta’s. They need no token, so the simulator must never be reachable from elsewhere.
      </p>
      {simulatorCalls.map((call) => (
        <Call key={call.description} call={call} />
      ))}
      <p>The template of the sample above is paused now. This approves it again:</p>
      <Shell lines={APPROVE} answers={[200]} />

      <Heading id="number">Let a whole number fail</Heading>
      <p>
        As an expired token, a missing payment or a locked account would: the channel pauses, its messages
        wait, and new ones are still accepted.
      </p>
      <Shell lines={FAIL} answers={[200]} />
      <p>Let it work again. Waypost asks a paused number about every minute and goes on by itself:</p>
      <Shell lines={RECOVER} answers={[200]} />

      <p>
        <code>error</code> is one of WhatsApp’s, by the name that it has here:
      </p>
      <Table
        isStacked
        head={["Name", "Meta’s code", "What it is"]}
        rows={simulatorErrors.map(({ name, code, title }) => ({
          key: name,
          cells: [<code key="name">{name}</code>, code, title],
        }))}
      />
      <Note>
        <p>
          <Command line="npm run simulator" /> runs it as a process of its own, on port 3001 or{" "}
          <code>WAYPOST_SIMULATOR_PORT</code>. A Waypost that is given its address as{" "}
          <code>WAYPOST_SIMULATOR_URL</code> uses it in place of the built-in one.
        </p>
        <p>
          It asks for no credentials, so it answers no web page: a request with an <code>Origin</code>, or to
          a <code>Host</code> that is neither a loopback address nor that of{" "}
          <code>WAYPOST_SIMULATOR_URL</code> in its own environment, gets 403.
        </p>
      </Note>
    </Article>
  );
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
      {lines === null ? null : <Shell lines={lines} answers={[200]} />}
    </section>
  );
}

/** What stands for something in the examples, and the shell's variable of it. */
const PLACEHOLDERS = [
  ["{phone_number_id}", "$PHONE_NUMBER_ID"],
  ['"PHONE_NUMBER_ID"', '"$PHONE_NUMBER_ID"'],
  ['"TEMPLATE"', '"$TEMPLATE"'],
] as const;

/** Null where the path names something that the reader has no variable for. */
function linesFor({ method, path, example }: Documentation["simulatorCalls"][number]): string | null {
  const address = `curl -sS ${method === "GET" ? "" : `-X ${method} `}"$SIMULATOR_URL${path}"`;
  const body =
    example === null
      ? ""
      : ` \\\n  -H "Content-Type: application/json" \\\n  -d @- <<JSON\n${JSON.stringify(example, null, 2)}\nJSON`;
  const lines = PLACEHOLDERS.reduce((text, [from, to]) => text.replaceAll(from, to), address + body);
  return /\{[a-z_]+\}/.test(lines) ? null : lines;
}

const PAUSES = "Pauses the channel.";
const STOPS = "Stops the template.";

/** Groups with a row for each of WhatsApp's errors are folded away. */
const ROWS_SHOWN_MAX = 24;

function Outcomes({ group, rows }: { group: string; rows: Documentation["simulated"] }) {
  const table = (
    <Table
      head={["Last digits", "What happens"]}
      rows={rows.map(({ suffix, description, pausesChannel, stopsTemplate }) => ({
        key: suffix ?? "any other",
        cells: [
          suffix === null ? "any other" : <code key="suffix">{suffix}</code>,
          <span key="description">
            <Prose text={description} />
            {pausesChannel ? <em> {PAUSES}</em> : null}
            {stopsTemplate ? <em> {STOPS}</em> : null}
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
