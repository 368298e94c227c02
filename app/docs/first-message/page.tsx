import type { Metadata } from "next";
import Link from "next/link";
import { Article, Heading, Note } from "../parts/article";
import { baseUrl } from "../parts/base-url";
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
      lead="Start Waypost with a simulated WhatsApp, send a text, and see it read. You need Node.js 22 or 24; no account, no phone."
    >
      <Heading id="start">1. Start it</Heading>
      <Shell lines="npm ci && npm start" inCheckout />
      <p>
        That builds what isn’t built, starts PostgreSQL, a simulated WhatsApp and the service. The first start
        makes a demo organization and prints its API key, once, with a <code>curl</code> line that works.
      </p>

      <Heading id="variables">2. Name what the examples use</Heading>
      <p>
        All examples in this documentation take the service’s address, an API key and a customer’s number from
        the shell. Tell it where the service is:
      </p>
      <Shell lines={`export WAYPOST_URL=${url}`} answers={[]} />
      <p>
        Then put in the key and the number that the start printed. Or, in the checkout, make a further demo
        organization and take everything from it:
      </p>
      <Shell lines={DEMO} answers={[]} inCheckout />
      <p>
        The number belongs to a simulated customer who has just written to you. Only then does WhatsApp take
        free text: see <Link href="/docs/messages#window">the customer window</Link>.
      </p>

      <Heading id="send">3. Send</Heading>
      <Shell lines={SEND} answers={[201]} />
      <p>The answer is 201: the message is stored durably, and will be handed to WhatsApp.</p>
      <Answer body={ACCEPTED} />
      <p>
        <code>client_message_id</code> is yours: the id of the order, the ticket or the row that this message
        belongs to. Keep <code>message_id</code> to ask for the message later.
      </p>

      <Heading id="read">4. See what became of it</Heading>
      <p>
        Put the answer’s <code>message_id</code> into <code>MESSAGE_ID</code>, and ask:
      </p>
      <Shell lines="export MESSAGE_ID=…" />
      <Shell lines={READ} answers={[200]} />
      <Answer body={MESSAGE} />
      <p>
        Within a second the simulated customer has read it. The states in between are on{" "}
        <Link href="/docs/states">States and the resend verdict</Link>.
      </p>

      <Heading id="repeat">5. Send it again</Heading>
      <p>
        Run the lines of step 3 once more, as they are. The answer is now 200 with{" "}
        <code>&quot;deduplicated&quot;: true</code> and the present state, and the customer gets nothing new.
        So after a timeout, a lost connection or a 5xx you never have to wonder: repeat the same request.
      </p>
      <Shell lines={SEND} answers={[200]} />
      <Note>
        <p>
          Another body under the same id is refused with{" "}
          <Link href="/docs/errors#idempotency_key_reused">
            <code>idempotency_key_reused</code>
          </Link>
          . More on <Link href="/docs/idempotency">Idempotency</Link>.
        </p>
      </Note>

      <Heading id="key">What your key may do</Heading>
      <p>
        Send the key as <code>Authorization: Bearer …</code> or as <code>X-Api-Key: …</code>; without{" "}
        <code>Bearer</code> it is refused with{" "}
        <Link href="/docs/errors#invalid_api_key">
          <code>invalid_api_key</code>
        </Link>
        . It decides the organization; requests never name one. <code>GET /ping</code> shows its scopes:
      </p>
      <Shell
        lines={`curl -sS "$WAYPOST_URL/api/public/v1/ping" -H "X-Api-Key: $WAYPOST_KEY"`}
        answers={[200]}
      />
    </Article>
  );
}
