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
        The secret is shown when the endpoint is made, and never again.{" "}
        <code>POST /webhooks/&#123;id&#125;/rotate-secret</code> gives the endpoint another. The one it
        replaces signs beside it for {facts.secretOverlapHours} hours, even if you rotate again: one signature
        for each secret, with spaces between, the last {facts.formerSecretsMax} replaced ones at most. How to
        check them is on <Link href="/docs/webhooks/verifying">Verifying webhooks</Link>.
      </p>

      <Heading id="kept">What is kept</Heading>
      <p>
        Deliveries and their attempts are kept for {facts.keptDays} days, events that wait to be fetched for{" "}
        {facts.availableKeptDays}. What customers wrote comes in events only, as <code>GET /messages</code>{" "}
        lists what you sent: store it on your side. Of an attempt you see time, status, duration, what went
        wrong, and the first 2 KB of the answer.
      </p>
      <p>
        What people wrote goes together with their messages: when a contact is erased, and when messages are
        older than your organization keeps them. Then the bodies of <code>message.received</code> are erased,
        and whatever your endpoint answered to events about these messages. The deliveries stay for their
        time, and so do the bodies of changes of state, which name no person.
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
        On the page Webhooks of the admin app, or by the API with a key that has the scope{" "}
        <code>webhooks:manage</code>. A new demo’s key has it; give it to another key, that of an older demo
        included, when you create or rotate the key. <code>GET /ping</code> lists what a key has. The lines
        here take <code>WAYPOST_URL</code> and <code>WAYPOST_KEY</code> from{" "}
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
        What arises, or waits, while an endpoint is disabled is kept as <code>skipped</code>, and doesn’t come
        by itself once the endpoint is enabled. What was tried as often as it can be is kept as{" "}
        <code>failed</code>.{" "}
        <code>POST /webhooks/&#123;id&#125;/deliveries/&#123;delivery_id&#125;/redeliver</code> sends one of
        them again, named by its own id or by that of its event. Its attempts are counted from the first once
        more: it is tried now, and then after {spanWords(retrySeconds[0] ?? 0)}. While the endpoint is{" "}
        <a href="#retries">left alone</a>, it waits with the others. While a call of it is under way, no
        second one is started; if that call fails, the next comes {spanWords(retrySeconds[0] ?? 0)} later.
      </p>
      <p>
        A replay sends the events created since <code>since</code> again, and only those before{" "}
        <code>until</code> if you give it: the <code>failed</code>, the <code>skipped</code>, or{" "}
        <code>all</code>, which are both and those that were delivered. Events that are <code>pending</code>{" "}
        are no part of a replay: they are in the queue already. Count first:
      </p>
      <Shell lines={REPLAY} answers={[200]} />
      <p>
        Without <code>dry_run</code> they are sent, under the ids they had. Give a replay a{" "}
        <code>replay_id</code> of your own, a UUID, and you may repeat the request: it is done once. For{" "}
        <code>all</code> it has to have one.
      </p>
      <Shell lines={onEndpoint("", "DELETE")} answers={[204]} />
      <p>That removes the endpoint; nothing is posted to it from then on, also nothing that waits.</p>
    </>
  );
}
