import type { Metadata } from "next";
import Link from "next/link";
import { getRuntime } from "@/app/runtime";
import type { Documentation } from "@/server/boot/documentation";
import { Article, Heading, Note, Prose, Table } from "../parts/article";
import { Shell } from "../parts/code";
import { Events } from "./events";
import { onEndpoint } from "./on-endpoint";
import { Pull } from "./pull";
import { Retries } from "./retries";
import { spanWords } from "./spans";

export const metadata: Metadata = { title: "Webhooks" };

type Facts = Documentation["webhooks"];

const CREATE = `curl -sS "$WAYPOST_URL/api/public/v1/webhooks" \\
  -H "Authorization: Bearer $WAYPOST_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{ "url": "https://shop.example/hooks/waypost", "events": ["message.delivered", "message.failed"] }'`;

const REPLAY = `curl -sS "$WAYPOST_URL/api/public/v1/webhooks/$ID/replay" \\
  -H "Authorization: Bearer $WAYPOST_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{ "since": "2026-01-31T12:00:00Z", "only": "failed", "dry_run": true }'`;

export default async function WebhooksPage() {
  const facts = (await getRuntime()).documentation.webhooks;
  return (
    <Article
      path="/docs/webhooks"
      lead={
        <>
          Waypost posts an event to your application whenever the state of a message changes and whenever a
          customer writes. Each event is signed, has the same id in every attempt, and is retried for days
          until your endpoint accepts it.
        </>
      }
    >
      <Create facts={facts} />
      <Events facts={facts} />
      <Taking facts={facts} />
      <Retries facts={facts} />
      <Deliveries facts={facts} />
      <Again facts={facts} />
      <Pull facts={facts} />

      <Heading id="secret">Signing secret and rotation</Heading>
      <p>
        The signing secret is shown once, when the endpoint is created.{" "}
        <code>POST /webhooks/&#123;id&#125;/rotate-secret</code> replaces it. From then on, every event is
        signed with the new secret and, for {facts.secretOverlapHours} hours, also with the previous secret:{" "}
        <code>webhook-signature</code> has one signature for each, separated by spaces. If you rotate again
        within that time, at most the last {facts.formerSecretsMax} previous secrets still sign. To check the
        signatures, see <Link href="/docs/webhooks/verifying">Verifying webhooks</Link>.
      </p>

      <Heading id="kept">Data retention</Heading>
      <p>
        Deliveries and their attempts are kept for {facts.keptDays} days. Events that wait to be fetched are
        kept for {facts.availableKeptDays} days. Messages from customers are available only in events (
        <code>GET /messages</code> lists only the messages that you sent), so store them on your side. Each
        attempt shows its time, duration, HTTP status, error class and the first 2 KB of the response body (
        <code>answer</code>).
      </p>
      <p>
        Waypost doesn’t store files from customers: <code>message.received</code> contains WhatsApp’s id of
        the file. Get the file from Meta’s Cloud API within seven days, with this id and the access token of
        the channel.
      </p>
      <p>
        Content is erased together with its message: when the contact is erased, and when the message is older
        than the retention period of your organization. This erases the bodies of{" "}
        <code>message.received</code>, and the responses of your endpoint to events about that message. The
        deliveries are still kept for their normal time, and so are the bodies of state changes, which don’t
        name any person.
      </p>
    </Article>
  );
}

function Create({ facts }: { facts: Facts }) {
  return (
    <>
      <Note>
        <p>
          The quickest way to see events is the demo organization, which has an endpoint from the beginning.
          Sign in, open Webhooks, then Webhook inbox. It shows the events received since the first start, with
          their headers and verified signatures.
        </p>
      </Note>

      <Heading id="create">Create an endpoint</Heading>
      <p>
        Use the Webhooks page of the admin app, or the API with a key that has the scope{" "}
        <code>webhooks:manage</code>. The key of a new demo has this scope. To give the scope to another key,
        select it when you create or rotate the key. <code>GET /ping</code> lists the scopes of a key. The
        examples on this page use <code>WAYPOST_URL</code> and <code>WAYPOST_KEY</code> from{" "}
        <Link href="/docs/first-message#variables">Your first message</Link>.
      </p>
      <Shell lines={CREATE} answers={[201]} />
      <p>
        The <code>secret</code> in the response signs the events. It is shown only this once.{" "}
        <code>events</code> lists the event types that you want. Without it, the endpoint receives all types.{" "}
        <code>channel_ids</code> limits the endpoint to some of your numbers. An organization has at most{" "}
        {facts.endpointsMax} endpoints. The URL must be https and public. On your own machine, use{" "}
        <a href="#listen">
          <code>webhook listen</code>
        </a>{" "}
        instead, or <a href="#private">ask the operator to allow the host</a>.
      </p>
      <p>
        Set <code>ID</code> to the <code>id</code> of the response:
      </p>
      <Shell lines="export ID=…" />
      <p id="test">
        Test the endpoint: this posts one <code>webhook.test</code> event and returns the response of your
        endpoint. You can test an endpoint ten times a minute. Further tests are refused with{" "}
        <Link href="/docs/errors#webhook_test_limited">
          <code>webhook_test_limited</code>
        </Link>{" "}
        and <code>Retry-After</code>. You can also test a disabled endpoint.
      </p>
      <Shell lines={onEndpoint("/test", "POST")} />
      <p>
        The status of this response is 200 even if your endpoint failed: check <code>state</code>,{" "}
        <code>http_status</code> and <code>error_class</code>. A failed test isn’t retried, doesn’t count in{" "}
        <code>failing_since</code>, and never disables the endpoint. Replays don’t include tests.
      </p>
    </>
  );
}

function Taking({ facts: { timeoutSeconds, inFlightMax, keptDays } }: { facts: Facts }) {
  return (
    <>
      <Heading id="success">What counts as accepted</Heading>
      <p>
        An event is accepted if your endpoint responds with any 2xx status within {timeoutSeconds} seconds.
        Everything else is retried: redirects, which are not followed, 4xx and 5xx, and no response at all.
        Respond as soon as you have stored the event, and process it afterwards. At most {inFlightMax} calls
        to one endpoint run at the same time.
      </p>
      <p>
        Each call is a <code>POST</code> with <code>Content-Type: application/json</code>,{" "}
        <code>User-Agent: Waypost</code> and the three{" "}
        <Link href="/docs/webhooks/verifying#how">headers of the signature</Link>. It comes from the IP
        addresses of the machines that run Waypost. The operator knows these addresses. Rely on the signature,
        not on the IP address.
      </p>

      <Heading id="order">Order and duplicates</Heading>
      <ul>
        <li>
          <strong>An event can arrive more than once.</strong> It then has the same <code>webhook-id</code>{" "}
          and the same bytes, at all of your endpoints, and also if you fetch, redeliver or replay it. The
          body contains the same id as <code>id</code>. Store the ids that you have processed for {keptDays}{" "}
          days, because an event can be redelivered and replayed for that time. Respond with 2xx to an id that
          you know. Even a single attempt can reach you twice: if a kept-alive connection breaks, the event is
          posted once more on a new connection.
        </li>
        <li>
          <strong>Events can arrive in a different order.</strong> <code>data.sequence</code> numbers the
          events of one message from 1, without gaps. An event with a higher number is newer. Ignore an event
          that is older than the latest one you have. <code>message.received</code> has no{" "}
          <code>sequence</code>: order these events by <code>written_at</code>, which is exact to the second.
        </li>
        <li>
          <strong>No event is lost.</strong> If an endpoint wants an event, the event is stored in the same
          transaction as the change that it reports, before either becomes visible. If no endpoint wants an
          event when it is created, the event is not stored.
        </li>
      </ul>
    </>
  );
}

function Deliveries({ facts: { states, errorClasses, filters } }: { facts: Facts }) {
  return (
    <>
      <Heading id="deliveries">Inspect deliveries</Heading>
      <p>
        A delivery is one event for one endpoint. It has its own <code>id</code>. Its <code>event_id</code> is
        the <code>webhook-id</code> that your application receives, and the <code>id</code> in the body. You
        can list all deliveries with their attempts:
      </p>
      <Shell lines={onEndpoint("/deliveries?state=failed")} answers={[200]} />
      <p>The list accepts these parameters:</p>
      <Meanings head="Parameter" of={filters} />
      <p>
        With <code>include=payload</code>, each delivery also has <code>body</code> and <code>headers</code>.
        See the <a href="#pull">example response</a>. A delivery has one of these states:
      </p>
      <Meanings head="State" of={states} />
      <p>
        A failed attempt has the reason in <code>error_class</code>:
      </p>
      <Meanings head="error_class" of={errorClasses} />
    </>
  );
}

function Meanings({ head, of: words }: { head: string; of: Facts["states"] }) {
  return (
    <Table
      head={[head, "Meaning"]}
      rows={words.map(({ name, means }) => ({
        key: name,
        cells: [<code key="name">{name}</code>, <Prose key="means" text={means} />],
      }))}
    />
  );
}

function Again({ facts: { retrySeconds } }: { facts: Facts }) {
  return (
    <>
      <Heading id="replay">Redeliver and replay missed events</Heading>
      <p>
        A delivery is <code>skipped</code> if its event was created, or was still waiting, while the endpoint
        was disabled. It is <code>failed</code> if its final attempt failed. Neither is sent again
        automatically.
      </p>
      <p>
        <strong>One delivery.</strong>{" "}
        <code>POST /webhooks/&#123;id&#125;/deliveries/&#123;delivery_id&#125;/redeliver</code> sends it
        again; <code>delivery_id</code> is its own id, or the id of its event. The schedule of attempts starts
        from the beginning: the first attempt is made now, the next {spanWords(retrySeconds[0] ?? 0)} after a
        failure. If the endpoint is <a href="#retries">paused after failures</a>, the delivery waits like the
        others. If an attempt is running at that moment, no second attempt starts in parallel.
      </p>
      <p>
        <strong>Many deliveries.</strong> A replay sends again the events created since <code>since</code>,
        and before <code>until</code> if you give it. <code>only</code> selects deliveries that are{" "}
        <code>failed</code> or <code>skipped</code>, or <code>all</code>: these two and the delivered ones.
        Count them first:
      </p>
      <Shell lines={REPLAY} answers={[200]} />
      <p>
        Without <code>dry_run</code>, the events are sent, with their original ids. If you give your own{" "}
        <code>replay_id</code>, a UUID, you can repeat the request and the replay still runs only once.{" "}
        <code>all</code> requires a <code>replay_id</code>.
      </p>
      <Note>
        <p>
          After a short outage of your application, deliveries are usually still <code>pending</code> and a
          replay counts none: they are in the queue and will be posted automatically.{" "}
          <a href="#test">Test the endpoint</a> to get them immediately.
        </p>
      </Note>
      <Shell lines={onEndpoint("", "DELETE")} answers={[204]} />
      <p>
        This deletes the endpoint. Nothing is posted to it from then on, including deliveries that are
        waiting.
      </p>
    </>
  );
}
