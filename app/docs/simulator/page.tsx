import type { Metadata } from "next";
import Link from "next/link";
import type { Documentation } from "@/server/boot/documentation";
import { getRuntime } from "@/app/runtime";
import { Article, Fold, Heading, Note, Prose, Table } from "../parts/article";
import { Command, Shell } from "../parts/code";

export const metadata: Metadata = { title: "WhatsApp simulator" };

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
      lead="The simulator implements Meta’s WhatsApp Cloud API over HTTP, including signed callbacks. Waypost uses it exactly like the real one."
    >
      <p>
        In the default configuration, the simulator runs with Waypost, on a loopback address that is printed
        at the start. The demo organization from <Link href="/docs/first-message">Your first message</Link>{" "}
        has two simulated numbers. The <code>from_demo</code> function is also defined there:
      </p>
      <Shell lines={FROM_DEMO} answers={[]} inCheckout />

      <Heading id="write">Send a message as a customer</Heading>
      <Shell lines={WRITE} answers={[200]} />
      <p>
        This opens the customer service window for the number as soon as Waypost has processed the callback,
        usually within a second. Wait for that before you run the next sample: a text sent earlier is refused
        with <code>outside_customer_window</code>. <code>type</code> can also be an image, a location, a
        reaction or another type listed under <Link href="#calls">Control API</Link>. The content is in Meta’s
        format, under the name of the type.
      </p>

      <Heading id="outcomes">Choose the outcome of a message</Heading>
      <p>
        The last five digits of the recipient’s number determine the outcome. This message is accepted, and
        then fails with{" "}
        <Link href="/docs/errors#undeliverable">
          <code>undeliverable</code>
        </Link>
        :
      </p>
      <Shell lines={SEND} answers={[201]} />
      <p>
        After such a failure, further messages to the number are refused with{" "}
        <Link href="/docs/errors#recipient_unreachable">
          <code>recipient_unreachable</code>
        </Link>{" "}
        for 24 hours, or until the customer sends a message or receives one after all. With any number that is
        not in the tables, the customer reads the message within half a second.
      </p>
      <Note>
        <p>
          Rows that end with <em>{PAUSES}</em> stop the whole channel, as with the real WhatsApp: all messages
          on the channel wait. If the error concerns the token, the account or the number, Waypost continues
          about a minute after the cause is fixed. If messages are limited or blocked, Waypost tries one
          message an hour. <Command line="npm run waypost -- channel resume CHANNEL_ID" /> ends a pause
          immediately.
        </p>
        <p>
          A message that is refused at every call pauses the channel again at each attempt, for at most 12
          hours. <Command line="npm run waypost -- contact erase --org ORGANIZATION_ID --number NUMBER" />{" "}
          stops this earlier. Use such numbers only on a channel that nobody else needs.
        </p>
        <p>
          Rows that end with <em>{STOPS}</em> change the template for all recipients: further messages with it
          are refused with <code>template_not_approved</code> until you set it to <code>APPROVED</code> with{" "}
          <code>PUT /simulator/templates/state</code>.
        </p>
        <p>
          A message without any report from WhatsApp fails after 15 minutes. Start Waypost with{" "}
          <code>WAYPOST_UNCONFIRMED_AFTER_SECONDS=60</code> to shorten this to one minute.{" "}
          <code>expired</code> comes after 12 hours. This time can’t be shortened.
        </p>
      </Note>
      {groups.map((group) => (
        <Outcomes key={group} group={group} rows={simulated.filter((row) => row.group === group)} />
      ))}

      <Heading id="templates">Templates and media</Heading>
      <p>
        The simulator supports Meta’s calls for templates and media, with Meta’s rules. The end of a
        template’s name determines its state as soon as it is submitted: <code>_pending</code>,{" "}
        <code>_rejected</code>, <code>_paused</code> and <code>_disabled</code> give that state. Any other
        template is approved. A callback reports the state. A message with a template in another state, or
        with other variables, is refused as Meta refuses it.
      </p>
      <p>
        An upload is checked against Meta’s limits on type and size. Its id can be sent for 30 days, from the
        number that it was uploaded for. The file itself isn’t kept. If a message names media by{" "}
        <code>url</code>, the file is never downloaded.
      </p>

      <Heading id="ledger">List what was received</Heading>
      <p>
        The ledger lists every call that was made and every message that was accepted. Use it to check that
        nothing was handed over twice:
      </p>
      <Shell lines={LEDGER} answers={[200]} />

      <Heading id="calls">Control API</Heading>
      <p>
        These calls control the simulator and are not part of Meta’s API. They need no token, so the simulator
        must never be reachable from other machines.
      </p>
      {simulatorCalls.map((call) => (
        <Call key={call.description} call={call} />
      ))}
      <p>The template in the sample above is now paused. Approve it again:</p>
      <Shell lines={APPROVE} answers={[200]} />

      <Heading id="number">Make a whole number fail</Heading>
      <p>
        You can simulate an expired token, a missing payment or a locked account: the channel is paused, its
        messages wait, and new messages are still accepted.
      </p>
      <Shell lines={FAIL} answers={[200]} />
      <p>
        Make the number work again. Waypost checks a paused number about every minute and continues
        automatically:
      </p>
      <Shell lines={RECOVER} answers={[200]} />

      <p>
        <code>error</code> is the simulator’s name for one of WhatsApp’s errors:
      </p>
      <Table
        isStacked
        head={["Name", "Meta’s code", "Meta’s title"]}
        rows={simulatorErrors.map(({ name, code, title }) => ({
          key: name,
          cells: [<code key="name">{name}</code>, code, title],
        }))}
      />
      <Note>
        <p>
          <Command line="npm run simulator" /> runs the simulator as a separate process, on port 3001 or{" "}
          <code>WAYPOST_SIMULATOR_PORT</code>. Set <code>WAYPOST_SIMULATOR_URL</code> to its address to make
          Waypost use it instead of the built-in one.
        </p>
        <p>
          The simulator requires no credentials, so it refuses requests from web pages: a request with an{" "}
          <code>Origin</code> header gets 403. So does a request with a <code>Host</code> that is neither a
          loopback address nor the host of <code>WAYPOST_SIMULATOR_URL</code> in the simulator’s own
          environment.
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

const PAUSES = "Pauses the channel.";
const STOPS = "Stops the template.";

/** Longer groups, with a row for each of WhatsApp's errors, are collapsed. */
const ROWS_SHOWN_MAX = 24;

function Outcomes({ group, rows }: { group: string; rows: Documentation["simulated"] }) {
  const table = (
    <Table
      head={["Last digits", "Outcome"]}
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
