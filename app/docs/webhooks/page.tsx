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
          Waypost posts an event to your program whenever a message’s state changes, and whenever a customer
          writes: signed, with the same id however often it comes, and again for days until it is taken.
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

      <Heading id="secret">The secret, and a new one</Heading>
      <p>
        The secret is shown once, when the endpoint is created.{" "}
        <code>POST /webhooks/&#123;id&#125;/rotate-secret</code> replaces it. Every event is then signed with
        the new secret, and for {facts.secretOverlapHours} hours also with the one that was replaced:{" "}
        <code>webhook-signature</code> has one signature for each, separated by spaces. If you rotate again
        within that time, the last {facts.formerSecretsMax} replaced secrets at most still sign. How to check
        the signatures is on <Link href="/docs/webhooks/verifying">Verifying webhooks</Link>.
      </p>

      <Heading id="kept">What is kept</Heading>
      <p>
        Deliveries and their attempts are kept for {facts.keptDays} days, events that wait to be fetched for{" "}
        {facts.availableKeptDays}. Customers’ messages come in events only (<code>GET /messages</code> lists
        the messages that you sent), so store them on your side. Each attempt shows its time, duration, HTTP
        status, error class and the first 2 KB of the answer.
      </p>
      <p>
        Waypost stores no files of customers: <code>message.received</code> has WhatsApp’s id of the file. Get
        the file from Meta’s Cloud API with that id and the channel’s access token, within seven days.
      </p>
      <p>
        Content is erased together with its message: when the contact is erased, and when the message is older
        than your organization keeps messages. This erases the bodies of <code>message.received</code>, and
        the answers that your endpoint gave to events about that message. The deliveries stay for their time,
        and so do the bodies of state changes, which name no person.
      </p>
    </Article>
  );
}

function Create({ facts }: { facts: Facts }) {
  return (
    <>
      <Note>
        <p>
          The quickest way to see events is the demo organization: it has an endpoint from the start. Sign in,
          open Webhooks, then Webhook inbox: there is what came in since the first start, with its headers,
          and verified.
        </p>
      </Note>

      <Heading id="create">Make an endpoint</Heading>
      <p>
        Use the page Webhooks of the admin app, or the API with a key that has the scope{" "}
        <code>webhooks:manage</code>. The key of a new demo has this scope. To give it to another key, choose
        it when you create the key, or when you rotate it. <code>GET /ping</code> lists the scopes of a key.
        The lines here take <code>WAYPOST_URL</code> and <code>WAYPOST_KEY</code> from{" "}
        <Link href="/docs/first-message#variables">Your first message</Link>.
      </p>
      <Shell lines={CREATE} answers={[201]} />
      <p>
        The answer’s <code>secret</code> signs the events, and is shown this once. <code>events</code> names
        the types that you want; without it they are all. <code>channel_ids</code> limits the endpoint to
        numbers of yours. An organization has at most {facts.endpointsMax} endpoints. The address has to be
        https and public: on your own machine, <a href="#listen">listen</a> instead, or{" "}
        <a href="#private">have the operator allow it</a>.
      </p>
      <p>
        Put the answer’s <code>id</code> into <code>ID</code>:
      </p>
      <Shell lines="export ID=…" />
      <p id="test">
        See whether it works: this posts a <code>webhook.test</code>, once, and answers what your endpoint
        answered. An endpoint can be tested ten times a minute; then the answer is{" "}
        <Link href="/docs/errors#webhook_test_limited">
          <code>webhook_test_limited</code>
        </Link>{" "}
        with <code>Retry-After</code>. A disabled endpoint can be tested, too.
      </p>
      <Shell lines={onEndpoint("/test", "POST")} />
      <p>
        The status of this answer is 200 also where your endpoint failed: read <code>state</code>,{" "}
        <code>http_status</code> and <code>error_class</code>. A test that fails isn’t tried again, doesn’t
        count in <code>failing_since</code>, and disables nothing. A replay leaves tests out.
      </p>
    </>
  );
}

function Taking({ facts: { timeoutSeconds, inFlightMax, keptDays } }: { facts: Facts }) {
  return (
    <>
      <Heading id="success">What counts as taken</Heading>
      <p>
        Any 2xx within {timeoutSeconds} seconds. Everything else is tried again: redirects, which are not
        followed, 4xx and 5xx, and no answer at all. So answer as soon as the event is stored on your side,
        and work on it afterwards. At most {inFlightMax} calls to one endpoint run at once.
      </p>
      <p>
        Each call is a <code>POST</code> with <code>Content-Type: application/json</code>,{" "}
        <code>User-Agent: Waypost</code> and the three{" "}
        <Link href="/docs/webhooks/verifying#how">headers of the signature</Link>. It comes from the addresses
        of the machines that run Waypost; the operator knows them. Rely on the signature, not on the address.
      </p>

      <Heading id="order">Order and duplicates</Heading>
      <ul>
        <li>
          <strong>An event can come more than once.</strong> It then has the same <code>webhook-id</code> and
          the same bytes, at whichever of your endpoints, and also where it is fetched, redelivered or
          replayed. The body holds the same id as <code>id</code>. Remember the ids that you have processed
          for {keptDays} days, as an event can be redelivered and replayed for so long, and answer 2xx to
          those you know. Even a single attempt can reach you twice: where a connection that was kept open is
          cut, it is posted once more on a new one.
        </li>
        <li>
          <strong>Events can come in another order.</strong> <code>data.sequence</code> counts the events of
          one message from 1 without a gap: what has a higher number is newer. Drop what is older than what
          you have. <code>message.received</code> has no <code>sequence</code>: order those by{" "}
          <code>written_at</code>, which is exact to the second.
        </li>
        <li>
          <strong>None is lost.</strong> An event that an endpoint wants is stored together with the change
          that it tells of, before anybody hears of either. What no endpoint wants when it arises isn’t kept
          as an event.
        </li>
      </ul>
    </>
  );
}

function Deliveries({ facts: { states, errorClasses, filters } }: { facts: Facts }) {
  return (
    <>
      <Heading id="deliveries">Looking at deliveries</Heading>
      <p>
        A delivery is one event for one endpoint. It has an <code>id</code> of its own; its{" "}
        <code>event_id</code> is the <code>webhook-id</code> that your program gets, and the <code>id</code>{" "}
        in the body. All of them can be looked at, with their attempts:
      </p>
      <Shell lines={onEndpoint("/deliveries?state=failed")} answers={[200]} />
      <p>The list takes these parameters:</p>
      <Meanings head="Parameter" of={filters} />
      <p>
        With <code>include=payload</code> each delivery has <code>body</code> and <code>headers</code> beside
        its other fields: <a href="#pull">an answer</a>. The states:
      </p>
      <Meanings head="State" of={states} />
      <p>
        An attempt that didn’t succeed says why in <code>error_class</code>:
      </p>
      <Meanings head="error_class" of={errorClasses} />
    </>
  );
}

function Meanings({ head, of: words }: { head: string; of: Facts["states"] }) {
  return (
    <Table
      head={[head, "Means"]}
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
      <Heading id="replay">Sending again what was missed</Heading>
      <p>
        A delivery is <code>skipped</code> if its event was created, or still waited, while the endpoint was
        disabled. It is <code>failed</code> if its last attempt failed. Neither is sent again by itself.
      </p>
      <p>
        <strong>One delivery.</strong>{" "}
        <code>POST /webhooks/&#123;id&#125;/deliveries/&#123;delivery_id&#125;/redeliver</code> sends it
        again; <code>delivery_id</code> is its own id, or the id of its event. The schedule of attempts starts
        from the beginning: the first attempt is made now, the next {spanWords(retrySeconds[0] ?? 0)} after a
        failure. If the endpoint is <a href="#retries">paused after failures</a>, the delivery waits like the
        others. If an attempt is running at that moment, no second one starts beside it.
      </p>
      <p>
        <strong>Many.</strong> A replay sends again the events created since <code>since</code>, and before{" "}
        <code>until</code> if you give it. <code>only</code> selects deliveries that are <code>failed</code>{" "}
        or <code>skipped</code>, or <code>all</code>: these two and the delivered ones. Count first:
      </p>
      <Shell lines={REPLAY} answers={[200]} />
      <p>
        Without <code>dry_run</code> they are sent, with the ids that they had. With a <code>replay_id</code>{" "}
        of your own, a UUID, you can repeat the request: the replay is done once. <code>all</code> requires a{" "}
        <code>replay_id</code>.
      </p>
      <Note>
        <p>
          After a short outage of your program, deliveries are usually still <code>pending</code>, and a
          replay counts none: they are in the queue and come by themselves.{" "}
          <a href="#test">Test the endpoint</a> to have them at once.
        </p>
      </Note>
      <Shell lines={onEndpoint("", "DELETE")} answers={[204]} />
      <p>That removes the endpoint; nothing is posted to it from then on, also nothing that waits.</p>
    </>
  );
}
