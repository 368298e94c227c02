import type { Metadata } from "next";
import Link from "next/link";
import type { Documentation } from "@/server/documentation";
import { getRuntime } from "@/app/runtime";
import { Article, Heading, Note, Prose, Table } from "../parts/article";
import { Shell } from "../parts/code";

export const metadata: Metadata = { title: "Simulated WhatsApp" };

const FROM_DEMO = `export SIMULATOR_URL=$(from_demo simulator_url)
export PHONE_NUMBER_ID=$(from_demo phone_number_ids.default)`;

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

const LEDGER = `curl -sS "$SIMULATOR_URL/ledger"`;

export default async function SimulatorPage() {
  const { simulated } = (await getRuntime()).documentation;
  const groups = [...new Set(simulated.map(({ group }) => group))];
  return (
    <Article
      path="/docs/simulator"
      lead="It speaks Meta’s WhatsApp Cloud API over HTTP, signed callbacks included, so nothing in Waypost knows that it isn’t the real one."
    >
      <p>
        It runs along with the embedded default, on a loopback address that the start prints. The demo
        organization has two numbers on it:
      </p>
      <Shell lines={FROM_DEMO} answers={[]} />

      <Heading id="write">Write as a customer</Heading>
      <p>
        That opens the customer window for the number. <code>type</code> can also be an image, a location, a
        reaction and all else that WhatsApp knows, with the content in Meta’s form under its name.
      </p>
      <Shell lines={WRITE} answers={[200]} />

      <Heading id="outcomes">Choose what becomes of a message</Heading>
      <p>
        The last five digits of the recipient decide. This one is accepted, and then fails as{" "}
        <Link href="/docs/errors#undeliverable">
          <code>undeliverable</code>
        </Link>
        :
      </p>
      <Shell lines={SEND} answers={[201]} />
      <p>Every other number’s owner reads the message within half a second.</p>
      {groups.map((group) => (
        <Outcomes key={group} group={group} rows={simulated.filter((row) => row.group === group)} />
      ))}

      <Heading id="number">Let a whole number fail</Heading>
      <p>
        As an expired token, a missing payment or a locked account would: the channel pauses, its messages
        wait, and new ones are still accepted.
      </p>
      <Shell lines={FAIL} answers={[200]} />
      <p>Let it work again. Waypost asks a paused number every minute and goes on by itself:</p>
      <Shell lines={RECOVER} answers={[200]} />

      <Heading id="templates">Templates and media</Heading>
      <p>
        A template that is submitted is decided at once by the end of its name: <code>_pending</code>,{" "}
        <code>_rejected</code>, <code>_paused</code> and <code>_disabled</code> give that state, any other is
        approved. Media are taken and kept as Meta does, with its limits of type and size.
      </p>

      <Heading id="ledger">See what arrived</Heading>
      <p>The ledger lists every message that it took, to prove that nothing was handed over twice:</p>
      <Shell lines={LEDGER} answers={[200]} />
      <Note>
        <p>
          <code>npm run simulator</code> runs it as a process of its own, on port 3001. A Waypost that is
          given its address as <code>WAYPOST_SIMULATOR_URL</code> uses it in place of the built-in one.
        </p>
      </Note>
    </Article>
  );
}

function Outcomes({ group, rows }: { group: string; rows: Documentation["simulated"] }) {
  return (
    <>
      <h3>{group}</h3>
      <Table
        head={["Last digits", "What happens"]}
        rows={rows.map(({ suffix, description }) => ({
          key: suffix ?? "any other",
          cells: [
            suffix === null ? "any other" : <code key="suffix">{suffix}</code>,
            <Prose key="description" text={description} />,
          ],
        }))}
      />
    </>
  );
}
