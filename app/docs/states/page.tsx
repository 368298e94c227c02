import type { Metadata } from "next";
import Link from "next/link";
import { Article, Heading, Note, Prose, Table } from "../parts/article";
import { Shell } from "../parts/code";
import { ResendTable } from "../parts/resend-advice";
import { StateDiagram } from "./state-diagram";

export const metadata: Metadata = { title: "Delivery states and resending" };

const STATES = [
  ["queued", "The message is stored durably. It is not yet known to be handed over to WhatsApp."],
  ["sent", "WhatsApp has accepted the message."],
  ["delivered", "The message is on one of the customer’s devices."],
  [
    "read",
    "The customer has opened the message. Customers can turn read receipts off. Then `delivered` is the last state.",
  ],
  [
    "failed",
    "WhatsApp refused the message or couldn’t deliver it, it waited too long, or WhatsApp never confirmed it. `error` gives the reason.",
  ],
] as const;

const FAILED_ERROR = `"error": {
  "code": "engagement_limited",
  "message": "WhatsApp decided not to deliver the message, so that customers don't get too many messages.",
  "resend": "later",
  "resend_after": "2026-11-22T12:04:25.310Z",
  "doc_url": "https://waypost.example.com/docs/errors#engagement_limited",
  "upstream": { "code": 131049, "title": "Meta chose not to deliver" }
}`;

const LIST_FAILED = `curl -sS "$WAYPOST_URL/api/public/v1/messages?state=failed&limit=20" \\
  -H "Authorization: Bearer $WAYPOST_KEY"`;

export default function StatesPage() {
  return (
    <Article
      path="/docs/states"
      lead={
        <>
          <code>delivery_state</code> is the delivery status of a message. If the message failed,{" "}
          <code>error.resend</code> says whether it is safe to send it again.
        </>
      }
    >
      <StateDiagram />
      <Table
        head={["State", "Meaning"]}
        rows={STATES.map(([state, means]) => ({
          key: state,
          cells: [<code key="state">{state}</code>, <Prose key="means" text={means} />],
        }))}
      />

      <Heading id="rules">Guarantees</Heading>
      <ul>
        <li>
          An accepted message (201) reaches at least <code>sent</code>, or it becomes <code>failed</code> with
          an error code. No message is lost, even if servers or databases crash in the meantime.
        </li>
        <li>
          States never move backwards. A state can be skipped: WhatsApp may report <code>read</code> but never{" "}
          <code>delivered</code>. Then <code>delivered_at</code> is set from the <code>read</code> report.
        </li>
        <li>
          If WhatsApp reports <code>delivered</code> or <code>read</code> after <code>failed</code>, that
          state replaces <code>failed</code>: the customer has the message. In this case WhatsApp contradicts
          itself. If you have sent the message again in the meantime, it arrives twice, even if{" "}
          <code>error.resend</code> was <code>safe</code>.
        </li>
        <li>
          Two failures are set by Waypost because time ran out, not because WhatsApp reported them:{" "}
          <Link href="/docs/errors#upstream_unconfirmed">
            <code>upstream_unconfirmed</code>
          </Link>{" "}
          and{" "}
          <Link href="/docs/errors#expired">
            <code>expired</code>
          </Link>
          . Any later report from WhatsApp replaces them, including <code>sent</code>.
        </li>
        <li>
          Waypost never hands a message over twice. If it is unclear whether WhatsApp accepted the message,
          for example because the connection broke after the request was written or because of a 5xx without a
          known code, the message stays <code>queued</code> until WhatsApp reports a status for it. If no
          status arrives within 15 minutes, the message fails with <code>upstream_unconfirmed</code>.
        </li>
      </ul>

      <Heading id="resend">When to send again</Heading>
      <p>
        Every refusal and every failed message has <code>error.resend</code>. Your application can use it
        without handling each error code:
      </p>
      <ResendTable />
      <p>For example, this is the error of a message that WhatsApp chose not to deliver:</p>
      <Shell lines={FAILED_ERROR} />
      <p>
        <code>error.upstream</code> has WhatsApp’s own code and title, from the response or status that caused
        the failure. It is <code>null</code> if Waypost’s own rules caused the failure. It is for people and
        for WhatsApp’s support. Your application should act on <code>error.code</code>.
      </p>
      <Note>
        <p>
          A <strong>refused request</strong> created nothing: repeat it with the same{" "}
          <code>client_message_id</code>. A <strong>failed message</strong> has used its id: send it again
          with a new one.
        </p>
      </Note>

      <Heading id="finding">Find messages</Heading>
      <p>
        <Link href="/docs/webhooks">Webhooks</Link> notify your application of each change. You can also query
        the API at any time: use <code>GET /messages/&#123;id&#125;</code> for one message, and the list for
        many.
      </p>
      <p>
        Lists are sorted newest first. You can filter them by <code>state</code>, <code>channel_id</code>,{" "}
        <code>since</code>, <code>until</code> and <code>client_message_id</code>. <code>next_cursor</code>{" "}
        leads to the next page. A page can contain fewer messages than <code>limit</code>, even none, and
        still have a next page. The list ends only when <code>next_cursor</code> is <code>null</code>. In a
        query, write the plus sign of a time zone as <code>%2B</code>, for example{" "}
        <code>since=2026-01-31T13:00:00%2B01:00</code>, or use UTC with <code>Z</code>.
      </p>
      <Shell lines={LIST_FAILED} answers={[200]} />

      <Heading id="order">Order of messages</Heading>
      <p>
        Waypost hands over the messages of one conversation in the order in which it accepted them. If a
        message has to be retried, the later messages of its conversation wait for it, but at most 60 seconds.
        Then the next message is tried, and the same rule applies to it. WhatsApp doesn’t guarantee that
        messages arrive in the order in which it accepted them. If the order matters, wait for{" "}
        <code>delivered</code> before you send the next message.
      </p>
    </Article>
  );
}
