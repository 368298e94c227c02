import Link from "next/link";
import type { Documentation } from "@/server/boot/documentation";
import { Heading } from "../parts/article";
import { Answer, Shell } from "../parts/code";
import { onEndpoint } from "./on-endpoint";

type Facts = Documentation["webhooks"];

const CREATE_PULL = `curl -sS "$WAYPOST_URL/api/public/v1/webhooks" \\
  -H "Authorization: Bearer $WAYPOST_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{ "url": null }'`;

const LISTEN = `npm run -s waypost -- webhook listen --url "$WAYPOST_URL" --key "$WAYPOST_KEY" \\
  --forward http://localhost:4000/hooks --since 1h`;

/** How events are fetched, and how they come to a program that can't be reached from outside. */
export function Pull({ facts: { availableKeptDays, deliveriesExample } }: { facts: Facts }) {
  return (
    <>
      <Heading id="pull">From behind a firewall</Heading>
      <p>
        An endpoint without a URL is never called. Its events are kept for {availableKeptDays} days, and
        fetched whenever it suits you, with the headers and the very bytes that would be posted, signed as of
        now:
      </p>
      <Shell lines={CREATE_PULL} answers={[201]} />
      <p>
        Again the answer’s <code>id</code> goes into <code>ID</code>:
      </p>
      <Shell lines="export ID=…" />
      <Shell lines={onEndpoint("/deliveries?order=oldest&include=payload")} answers={[200]} />
      <Answer body={deliveriesExample} />
      <p>
        Oldest first there is always a <code>next_cursor</code>, also behind the last event: keep it, and ask
        with <code>cursor</code> for what came since. Nothing is left out, so one cursor is all that a program
        has to remember. A cursor doesn’t expire, and belongs to its <code>order</code>: an oldest-first
        cursor is refused in a newest-first list. Newest first, <code>next_cursor</code> is null on the last
        page, as in every other list. Events that have waited for more than {availableKeptDays} days are gone,
        and no answer tells you so. An event appears about a second after it was created: after the last one,
        wait a second or more before you ask again.
      </p>
      <p>
        Where a person’s words were erased, <code>body</code> and <code>headers</code> are null: pass over
        that event.
      </p>
      <p>
        With <code>since</code>, a new endpoint also has earlier events: those that another endpoint received
        or waits for, of the last {availableKeptDays} days, at most 10,000. Where you disable an endpoint
        without a URL, only the state differs: its new events are <code>skipped</code>, and are fetched like
        the others.
      </p>
      <Shell lines={onEndpoint("", "DELETE")} answers={[204]} />

      <Heading id="listen">On your own machine</Heading>
      <p>
        While you develop, this fetches events and posts them to a local program, signed and in order, and
        prints a line for each, also for each try that failed; without <code>--forward</code> events are only
        shown. The key (<code>--key</code> or <code>WAYPOST_API_KEY</code>) decides whose events they are; the
        first line names the organization. It prints the secret that signs, which is new at each start.
      </p>
      <Shell lines={LISTEN} inCheckout />
      <ul>
        <li>
          Without a key it works beside a Waypost that runs from the same checkout, and makes a key:{" "}
          <code>--org</code> names the organization; without it, it is the only one, or the first start’s
          demo.
        </li>
        <li>
          An event is tried four times within about 6 seconds; then it is given up, and the next one comes. To
          have it again, start another listener with <code>--since</code>.
        </li>
        <li>
          With <code>--endpoint</code> it fetches from a pull endpoint of yours: from now on, or from{" "}
          <code>--since</code>. It remembers no cursor.
        </li>
        <li>
          At Ctrl-C it removes the endpoint and the key that it made. When one was killed, the next one for
          the same organization on the same machine removes the endpoint; the key expires seven days after it
          was made.
        </li>
      </ul>
      <p id="private">
        To have events posted to a local program as a real endpoint’s are, with all attempts, start Waypost
        with <code>ALLOWED_PRIVATE_HOSTS=localhost:4000</code> and make an endpoint with the URL{" "}
        <code>http://localhost:4000/hooks</code>: for hosts named there plain http is allowed. More on{" "}
        <Link href="/docs/operating#variables">Operating</Link>.
      </p>
    </>
  );
}
