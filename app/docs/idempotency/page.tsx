import type { Metadata } from "next";
import Link from "next/link";
import { Article, Heading, Table } from "../parts/article";
import { Shell } from "../parts/code";

export const metadata: Metadata = { title: "Idempotency" };

const LOOK_UP = `curl -sS "$WAYPOST_URL/api/public/v1/messages?client_message_id=hello-1" \\
  -H "Authorization: Bearer $WAYPOST_KEY"`;

const CONFLICT = `curl -sS "$WAYPOST_URL/api/public/v1/messages" \\
  -H "Authorization: Bearer $WAYPOST_KEY" \\
  -H "Content-Type: application/json" \\
  -d @- <<JSON
{
  "client_message_id": "hello-1",
  "type": "text",
  "to": { "kind": "whatsapp", "handle": "$NUMBER" },
  "text": { "body": "Another text" }
}
JSON`;

const ANSWERS = [
  ["201", "deduplicated: false", "Created. It will be sent once."],
  ["200", "deduplicated: true", "It was created before. The answer has its present state; nothing is sent."],
  ["409", "idempotency_key_reused", "The id was used for another body. Nothing is sent."],
] as const;

export default function IdempotencyPage() {
  return (
    <Article
      path="/docs/idempotency"
      lead={
        <>
          Every message carries an id of yours, <code>client_message_id</code>. It is what makes repeating a
          request safe, however the first one ended.
        </>
      }
    >
      <Heading id="answers">Three answers</Heading>
      <Table
        head={["Status", "Tells", "Means"]}
        rows={ANSWERS.map(([status, tells, means]) => ({
          key: status,
          cells: [status, <code key="tells">{tells}</code>, means],
        }))}
      />
      <p>
        Two bodies are the same when they say the same: order of fields, spaces and <code>null</code> in place
        of an absent field make no difference. Any other change does. The text of a 409 names the original
        message and, until its content is erased, the fields that differ:
      </p>
      <Shell lines={CONFLICT} answers={[409]} />

      <Heading id="id">Choosing the id</Heading>
      <ul>
        <li>
          1 to 128 characters, unique in the organization. It is compared as it is, never trimmed or changed
          in case.
        </li>
        <li>
          Take it from what the message is about, such as <code>order-4711-shipped</code>, not from chance:
          then a program that crashed and starts over arrives at the same id.
        </li>
        <li>An id is never free again, also not after the message’s content was erased.</li>
      </ul>

      <Heading id="when">When to repeat</Heading>
      <p>
        After a timeout, a lost connection, a 5xx or a 429, repeat the same body under the same id, with
        growing pauses, and not before <code>Retry-After</code> where there is one. However many requests with
        one id run at the same time, one creates the message and the others learn of it.
      </p>
      <p>
        Give a send 30 seconds before you call it a timeout; sooner costs no more than a repeat. A repeat
        consumes nothing of the <Link href="/docs/limits#rates">send rate</Link>, nor does a 409 or any other
        refusal. A refused request creates no message, so its id can still be used.
      </p>

      <Heading id="look-up">Asking instead of repeating</Heading>
      <p>Whether a message was accepted can be found out without sending:</p>
      <Shell lines={LOOK_UP} answers={[200]} />
      <p>
        An empty list means that no request with this id was accepted so far; one that is still on its way can
        be accepted after you asked. Repeating the request is the answer that leaves no doubt.
      </p>

      <Heading id="failed">After a message has failed</Heading>
      <p>
        A repeat answers that it failed, and doesn’t send it again. To send again, use a new id, and look at{" "}
        <Link href="/docs/states#resend">the resend verdict</Link> first.
      </p>
    </Article>
  );
}
