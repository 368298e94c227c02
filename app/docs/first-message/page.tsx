import type { Metadata } from "next";
import { headers } from "next/headers";
import Link from "next/link";
import { getRuntime } from "@/app/runtime";
import { Article, Heading, Note } from "../parts/article";
import { Answer, Shell } from "../parts/code";

export const metadata: Metadata = { title: "Your first message" };

const DEMO = `DEMO=$(npm run -s waypost -- demo --json)
from_demo() { node -p "JSON.parse(process.argv[1]).$1" "$DEMO"; }
export WAYPOST_KEY=$(from_demo api_key.secret)
export NUMBER=$(from_demo contacts.open_window.handle)`;

const SEND = `curl -sS "$WAYPOST_URL/api/public/v1/messages" \\
  -H "Authorization: Bearer $WAYPOST_KEY" \\
  -H "Content-Type: application/json" \\
  -d @- <<JSON
{
  "client_message_id": "hello-1",
  "type": "text",
  "to": { "kind": "whatsapp", "handle": "$NUMBER" },
  "text": { "body": "Hello from Waypost" }
}
JSON`;

const READ = `curl -sS "$WAYPOST_URL/api/public/v1/messages/$MESSAGE_ID" \\
  -H "Authorization: Bearer $WAYPOST_KEY"`;

const ACCEPTED = {
  message_id: "01a1fdfe-6a52-7c11-9c6e-2f4d4f0c7a10",
  thread_id: "01a1fdfe-4d9b-7d0a-8a4e-52f1c2f09b3e",
  contact_id: "01a1fdfe-4d9a-7f5c-b2a3-9d1f6f1f4c77",
  delivery_state: "queued",
  client_message_id: "hello-1",
  deduplicated: false,
};

const MESSAGE = {
  message_id: ACCEPTED.message_id,
  client_message_id: "hello-1",
  thread_id: ACCEPTED.thread_id,
  contact_id: ACCEPTED.contact_id,
  channel_id: "01a1fdfe-4d95-7e21-a7f3-6c0f8c8b5d12",
  type: "text",
  delivery_state: "read",
  error: null,
  created_at: "2026-11-21T12:04:25.310Z",
  sent_at: "2026-11-21T12:04:25.402Z",
  delivered_at: "2026-11-21T12:04:25.498Z",
  read_at: "2026-11-21T12:04:25.751Z",
  failed_at: null,
};

export default async function FirstMessagePage() {
  const url = await baseUrl();
  return (
    <Article
      path="/docs/first-message"
      lead="Start Waypost with a WhatsApp simulator, send a text, and see that it was read. You need Node.js 22 or 24, but no account and no phone."
    >
      <Heading id="start">1. Start Waypost</Heading>
      <Shell lines="npm ci && npm start" inCheckout />
      <p>
        These commands build Waypost if necessary and start PostgreSQL, a WhatsApp simulator and the service.
        The first start creates a demo organization and prints its API key once, together with a{" "}
        <code>curl</code> command that you can run.
      </p>

      <Heading id="variables">2. Set the variables for the examples</Heading>
      <p>
        All examples in this documentation read the address of the service, an API key and a customer’s number
        from shell variables. Set the address:
      </p>
      <Shell lines={`export WAYPOST_URL=${url}`} answers={[]} />
      <p>
        Then set <code>WAYPOST_KEY</code> and <code>NUMBER</code> to the key and the number that the start
        printed. Or create another demo organization in the checkout and use its values:
      </p>
      <Shell lines={DEMO} answers={[]} inCheckout />
      <p>
        The number belongs to a simulated customer who has just written to you. WhatsApp accepts free text
        only after a message from the customer. See{" "}
        <Link href="/docs/messages#window">The customer service window</Link>.
      </p>

      <Heading id="send">3. Send a message</Heading>
      <Shell lines={SEND} answers={[201]} />
      <p>The response is 201: the message is stored durably and will be handed over to WhatsApp.</p>
      <Answer body={ACCEPTED} />
      <p>
        You choose <code>client_message_id</code>: for example the id of the order, the ticket or the database
        row that this message belongs to. Store <code>message_id</code> to look the message up later.
      </p>

      <Heading id="read">4. Check the delivery status</Heading>
      <p>
        Set <code>MESSAGE_ID</code> to the <code>message_id</code> of the response, and get the message:
      </p>
      <Shell lines="export MESSAGE_ID=…" />
      <Shell lines={READ} answers={[200]} />
      <Answer body={MESSAGE} />
      <p>
        Within a second the simulated customer has read the message. For the states in between, see{" "}
        <Link href="/docs/states">Delivery states and resending</Link>.
      </p>

      <Heading id="repeat">5. Repeat the request</Heading>
      <p>
        Run the command of step 3 again, without changes. The response is now 200 with{" "}
        <code>&quot;deduplicated&quot;: true</code> and the current state. The customer gets no second
        message. After a timeout, a lost connection or a 5xx, you can therefore always repeat the same
        request.
      </p>
      <Shell lines={SEND} answers={[200]} />
      <Note>
        <p>
          A different body with the same id is refused with{" "}
          <Link href="/docs/errors#idempotency_key_reused">
            <code>idempotency_key_reused</code>
          </Link>
          . See <Link href="/docs/idempotency">Idempotency</Link>.
        </p>
      </Note>

      <Heading id="key">Your API key</Heading>
      <p>
        Send the key as <code>Authorization: Bearer …</code> or as <code>X-Api-Key: …</code>. An{" "}
        <code>Authorization</code> header without <code>Bearer</code> is refused with{" "}
        <Link href="/docs/errors#invalid_api_key">
          <code>invalid_api_key</code>
        </Link>
        . The key determines the organization, so requests never name one. <code>GET /ping</code> shows the
        scopes of the key:
      </p>
      <Shell
        lines={`curl -sS "$WAYPOST_URL/api/public/v1/ping" -H "X-Api-Key: $WAYPOST_KEY"`}
        answers={[200]}
      />
    </Article>
  );
}

/** Returns the base URL for examples: the configured one, else the one of this request. */
async function baseUrl(): Promise<string> {
  const { publicUrl } = (await getRuntime()).documentation;
  if (publicUrl !== null) return publicUrl;
  const host = (await headers()).get("host") ?? "";
  // A forged header would appear in lines that people paste into a shell.
  return /^[a-z0-9.:[\]-]+$/i.test(host) ? `http://${host}` : "http://127.0.0.1:3000";
}
