import type { Metadata } from "next";
import Link from "next/link";
import { Article, Heading, Note, Prose, Table } from "../parts/article";
import { Shell } from "../parts/code";
import { VERDICT_NAMES, VERDICTS } from "../parts/verdicts";
import { StateDiagram } from "./state-diagram";

export const metadata: Metadata = { title: "States and the resend verdict" };

const STATES = [
  ["queued", "Stored durably, and not yet known to be handed over."],
  ["sent", "WhatsApp has taken it."],
  ["delivered", "It is on one of the customer’s devices."],
  ["read", "The customer has opened it. Customers can turn this off; then `delivered` is the last one."],
  [
    "failed",
    "WhatsApp refused it or couldn’t deliver it, it waited too long, or nothing was heard of it. `error` says why.",
  ],
] as const;

const FAILED_ERROR = `"error": {
  "code": "engagement_limited",
  "message": "WhatsApp chose not to deliver the message, to keep people from getting too many.",
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
          <code>delivery_state</code> says how far a message came. Where it failed, <code>error.resend</code>{" "}
          says whether sending it again is safe.
        </>
      }
    >
      <StateDiagram />
      <Table
        head={["State", "Means"]}
        rows={STATES.map(([state, means]) => ({
          key: state,
          cells: [<code key="state">{state}</code>, <Prose key="means" text={means} />],
        }))}
      />

      <Heading id="rules">What you can rely on</Heading>
      <ul>
        <li>
          A message that was accepted (201) ends as at least <code>sent</code>, or as <code>failed</code> with
          a code. None is lost, also when servers or databases die meanwhile.
        </li>
        <li>
          States never go back. A state can be skipped: WhatsApp may report <code>read</code> and never{" "}
          <code>delivered</code>, and <code>delivered_at</code> is then filled from it.
        </li>
        <li>
          <code>delivered</code> or <code>read</code> after <code>failed</code> wins: the customer has it.
          WhatsApp contradicts itself then, and a message that was sent again meanwhile arrives twice, also
          where the verdict was <code>safe</code>.
        </li>
        <li>
          Two failures are presumptions,{" "}
          <Link href="/docs/errors#upstream_unconfirmed">
            <code>upstream_unconfirmed</code>
          </Link>{" "}
          and{" "}
          <Link href="/docs/errors#expired">
            <code>expired</code>
          </Link>
          . Any later news from WhatsApp replaces them, <code>sent</code> included: what WhatsApp says counts
          for more.
        </li>
        <li>
          Nothing is handed over twice by us. Where WhatsApp’s answer doesn’t say whether it took the message,
          such as a connection that broke after the request was written or a 5xx without a known code, the
          message stays <code>queued</code> until WhatsApp tells of it, and becomes{" "}
          <code>upstream_unconfirmed</code> when nothing was heard for 15 minutes.
        </li>
      </ul>

      <Heading id="resend">The resend verdict</Heading>
      <p>
        Every refusal and every failed message carries <code>error.resend</code>, so that a program can decide
        without knowing each code:
      </p>
      <Table
        isStacked
        head={["Verdict", "Means"]}
        rows={VERDICT_NAMES.map((name) => ({
          key: name,
          cells: [<code key="name">{name}</code>, <Prose key="means" text={VERDICTS[name].means} />],
        }))}
      />
      <p>A message that failed because WhatsApp chose not to deliver it has:</p>
      <Shell lines={FAILED_ERROR} />
      <p>
        <code>error.upstream</code> is WhatsApp’s own code and title, of the answer or the status that
        decided; <code>null</code> where Waypost’s own rules did. It is for people and for WhatsApp’s support:
        programs act on <code>error.code</code>.
      </p>
      <Note>
        <p>
          A <strong>refused request</strong> created nothing: repeat it under the same{" "}
          <code>client_message_id</code>. A <strong>failed message</strong> has used its id: send it again
          under a new one.
        </p>
      </Note>

      <Heading id="finding">Finding messages</Heading>
      <p>
        <Link href="/docs/webhooks">Webhooks</Link> tell a program of each change. It can also ask at any
        time: <code>GET /messages/&#123;id&#125;</code> for one message, the list for many.
      </p>
      <p>
        Lists are newest first and can be filtered by <code>state</code>, <code>channel_id</code>,{" "}
        <code>since</code>, <code>until</code> and <code>client_message_id</code>; <code>next_cursor</code>{" "}
        leads to the next page. A page can hold fewer than <code>limit</code>, even none, and still have a
        next one: only a <code>next_cursor</code> of <code>null</code> is the end. In a query, write the plus
        sign of a time zone as <code>%2B</code>, such as <code>since=2026-01-31T13:00:00%2B01:00</code>, or
        use UTC with <code>Z</code>.
      </p>
      <Shell lines={LIST_FAILED} answers={[200]} />

      <Heading id="order">Order</Heading>
      <p>
        Messages of one conversation are handed over in the order in which they were accepted. If a message
        has to be tried again, the later ones of its conversation wait for it, but at most 60 seconds; then
        the next message is tried, and the same holds for it. WhatsApp doesn’t promise that messages arrive in
        the order in which it took them. If the order matters, wait for <code>delivered</code> before you send
        the next message.
      </p>
    </Article>
  );
}
