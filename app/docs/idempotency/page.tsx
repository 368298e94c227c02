import type { Metadata } from "next";
import Link from "next/link";
import { getRuntime } from "@/app/runtime";
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
  ["201", "deduplicated: false", "The message was created. It will be sent once."],
  [
    "200",
    "deduplicated: true",
    "The message already exists. The response shows its current state. Nothing is sent.",
  ],
  ["409", "idempotency_key_reused", "The id was already used with a different body. Nothing is sent."],
] as const;

interface ReplacedSecrets {
  readonly secretOverlapHours: number;
  readonly formerSecretsMax: number;
}

const lostAnswers = ({ secretOverlapHours, formerSecretsMax }: ReplacedSecrets) =>
  [
    [
      "POST /uploads",
      "Upload the file again. If the first request stored the file, that copy counts against the quota until it expires. Nothing is sent.",
    ],
    [
      "POST /webhooks",
      "Check with `GET /webhooks` whether the endpoint exists. Its secret was only in the lost response: rotate the secret, or delete the endpoint and create it again. If you repeat the request, it creates a second endpoint.",
    ],
    [
      "POST /webhooks/{id}/rotate-secret",
      `Repeat the request and use the secret of the last response. The secret in your application still signs for ${secretOverlapHours} hours after it was replaced, as long as it is one of the last ${formerSecretsMax} previous secrets.`,
    ],
    ["POST /webhooks/{id}/test", "Repeat the request. It posts another test event and has no other effect."],
    [
      "POST …/{delivery_id}/redeliver",
      "Repeat the request. The event can be posted once more, with the same `webhook-id`.",
    ],
    [
      "POST /webhooks/{id}/replay",
      "Repeat the request with the same `replay_id`. The replay runs only once.",
    ],
    ["PATCH /webhooks/{id}", "Repeat the request. The result is the same."],
    ["DELETE /webhooks/{id}", "Repeat the request. `webhook_not_found` means that the endpoint is deleted."],
  ] as const;

export default async function IdempotencyPage() {
  const { webhooks } = (await getRuntime()).documentation;
  return (
    <Article
      path="/docs/idempotency"
      lead={
        <>
          Every message has an idempotency key that you choose, <code>client_message_id</code>. With it you
          can safely repeat a request, however the first one ended.
        </>
      }
    >
      <Heading id="answers">Possible responses</Heading>
      <Table
        head={["Status", "Field or code", "Meaning"]}
        rows={ANSWERS.map(([status, tells, means]) => ({
          key: status,
          cells: [status, <code key="tells">{tells}</code>, means],
        }))}
      />
      <p>
        Two bodies are the same if they differ only in the order of their fields or in whitespace, or if a
        field is <code>null</code> in one body and absent in the other. Any other difference causes a 409. Its{" "}
        <code>error.message</code> names the original message. It also names the fields that differ, until the
        content of the original message is erased:
      </p>
      <Shell lines={CONFLICT} answers={[409]} />

      <Heading id="id">Choose the id</Heading>
      <ul>
        <li>
          The id has 1 to 128 characters and is unique in the organization. It is compared exactly, without
          trimming and case-sensitively.
        </li>
        <li>
          Derive the id from the subject of the message, for example <code>order-4711-shipped</code>. Don’t
          use random ids: after a crash and a restart, your application must compute the same id again.
        </li>
        <li>An id can never be reused, even after the content of the message is erased.</li>
      </ul>

      <Heading id="when">When to repeat</Heading>
      <p>
        After a timeout, a lost connection, a 5xx or a 429, repeat the same body with the same id. Increase
        the pause between attempts, and don’t retry before the time in <code>Retry-After</code> if the
        response has one. If several requests with the same id run at the same time, one creates the message
        and the others return it.
      </p>
      <p>
        Set the timeout of a send request to 30 seconds. A shorter timeout causes only unnecessary repeats.
        Repeated requests, 409s and other refusals don’t count against the{" "}
        <Link href="/docs/limits#rates">rate limit</Link> for sending. A refused request creates no message,
        so you can still use its id.
      </p>

      <Heading id="look-up">Look up a message instead of repeating</Heading>
      <p>You can check whether a message was accepted without sending it:</p>
      <Shell lines={LOOK_UP} answers={[200]} />
      <p>
        An empty list means that no request with this id has been accepted so far. A request that is still in
        transit can be accepted after this response. Only repeating the request gives certainty.
      </p>

      <Heading id="others">If the response to another request was lost</Heading>
      <Table
        isStacked
        head={["Request", "What to do"]}
        rows={lostAnswers(webhooks).map(([request, todo]) => ({
          key: request,
          cells: [<code key="request">{request}</code>, <Prose key="todo" text={todo} />],
        }))}
      />

      <Heading id="failed">After a message has failed</Heading>
      <p>
        A repeated request returns the failed message and doesn’t send it again. To send it again, check{" "}
        <Link href="/docs/states#resend">
          <code>error.resend</code>
        </Link>{" "}
        first, then use a new id.
      </p>
    </Article>
  );
}
