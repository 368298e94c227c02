import type { Metadata } from "next";
import Link from "next/link";
import { Article, Heading, Prose, Table } from "../parts/article";
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

const LOST_ANSWERS = [
  [
    "POST /uploads",
    "Upload the file again. If the first request stored it, that copy counts in the quota until it expires, and nothing is sent.",
  ],
  [
    "POST /webhooks",
    "`GET /webhooks` shows whether the endpoint exists. Its secret was in the lost answer only: rotate the secret, or delete the endpoint and create it again. A repeat creates a second endpoint.",
  ],
  [
    "POST /webhooks/{id}/rotate-secret",
    "Repeat it and use the secret of the last answer. The secret that your program has still signs for 24 hours after it was replaced.",
  ],
  ["POST /webhooks/{id}/test", "Repeat it: this posts another test event, and nothing else happens."],
  [
    "POST /webhooks/{id}/deliveries/{delivery_id}/redeliver",
    "Repeat it. The event can be posted once more, with the same `webhook-id`.",
  ],
  ["POST /webhooks/{id}/replay", "Repeat it with the same `replay_id`: the replay is done once."],
  ["PATCH /webhooks/{id}", "Repeat it: the result is the same."],
  ["DELETE /webhooks/{id}", "Repeat it: `webhook_not_found` means that the endpoint is deleted."],
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
        Two bodies count as the same if only the order of their fields or their spaces differ, or if one has{" "}
        <code>null</code> where the other has no field. Any other difference is answered with 409. Its{" "}
        <code>error.message</code> names the original message and, until the content of that is erased, the
        fields that differ:
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
        An empty list means that no request with this id has been accepted so far. A request that is still on
        its way can be accepted after this answer. Only a repeat of the request leaves no doubt.
      </p>

      <Heading id="others">Other requests whose answer was lost</Heading>
      <Table
        isStacked
        head={["Request", "What to do"]}
        rows={LOST_ANSWERS.map(([request, todo]) => ({
          key: request,
          cells: [<code key="request">{request}</code>, <Prose key="todo" text={todo} />],
        }))}
      />

      <Heading id="failed">After a message has failed</Heading>
      <p>
        A repeat answers that it failed, and doesn’t send it again. To send again, use a new id, and look at{" "}
        <Link href="/docs/states#resend">the resend verdict</Link> first.
      </p>
    </Article>
  );
}
