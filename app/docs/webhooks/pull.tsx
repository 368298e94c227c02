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

/** How a program that can't be reached from outside fetches events. */
export function Pull({ facts: { availableKeptDays, deliveriesExample } }: { facts: Facts }) {
  return (
    <>
      <Heading id="pull">Fetch events from behind a firewall</Heading>
      <p>
        An endpoint without a URL is never called. Its events are kept for {availableKeptDays} days, and you
        fetch them whenever you like. You get the exact bytes and headers that would be posted, signed at the
        time of the request:
      </p>
      <Shell lines={CREATE_PULL} answers={[201]} />
      <p>
        Set <code>ID</code> to the <code>id</code> of the response:
      </p>
      <Shell lines="export ID=…" />
      <Shell lines={onEndpoint("/deliveries?order=oldest&include=payload")} answers={[200]} />
      <Answer body={deliveriesExample} />
      <p>
        With <code>order=oldest</code>, there is always a <code>next_cursor</code>, even after the last event.
        Store it, and pass it as <code>cursor</code> to get the events created since. No event is left out, so
        your application has to store only one cursor. A cursor doesn’t expire. It is valid only for its{" "}
        <code>order</code>: an oldest-first cursor is refused in a newest-first list. With{" "}
        <code>order=newest</code>, <code>next_cursor</code> is null on the last page, as in every other list.
      </p>
      <p>
        Events that have waited for more than {availableKeptDays} days are deleted, and no response reports
        this. An event appears in the list about a second after it was created. After the last event, wait a
        second or more before the next request.
      </p>
      <p>
        If the content of an event was erased, <code>body</code> and <code>headers</code> are null. Skip that
        event.
      </p>
      <p>
        With <code>since</code>, a new endpoint also gets earlier events: those that another endpoint received
        or is waiting for, from the last {availableKeptDays} days, at most 10,000. You can still fetch the
        events of a disabled endpoint without a URL. Its new events have the state <code>skipped</code>.
      </p>
      <Shell lines={onEndpoint("", "DELETE")} answers={[204]} />

      <Heading id="listen">Receive events on your own machine</Heading>
      <p>
        During development, this command fetches events and posts them to a local application, signed and in
        order. It prints a line for each event, and for each failed attempt. Without <code>--forward</code>,
        events are only shown. The key (<code>--key</code> or <code>WAYPOST_API_KEY</code>) determines the
        organization, which the first line of the output names. The command prints the signing secret, which
        is new at each start.
      </p>
      <Shell lines={LISTEN} inCheckout />
      <ul>
        <li>
          Without a key, the command works with a Waypost that runs from the same checkout, and creates a key.{" "}
          <code>--org</code> selects the organization. Without <code>--org</code>, the command uses the only
          organization, or the demo of the first start.
        </li>
        <li>
          The command tries each event four times within about 6 seconds. Then it gives up and continues with
          the next event. To get the event again, start another listener with <code>--since</code>.
        </li>
        <li>
          With <code>--endpoint</code>, the command fetches from one of your endpoints without a URL: from now
          on, or from <code>--since</code>. It stores no cursor.
        </li>
        <li>
          On Ctrl-C, the command deletes the endpoint and the key that it created. If a listener was killed,
          the next one for the same organization on the same machine deletes the endpoint. The key expires
          seven days after it was created.
        </li>
      </ul>
      <p id="private">
        To post events to a local application like to a real endpoint, with all attempts, start Waypost with{" "}
        <code>ALLOWED_PRIVATE_HOSTS=localhost:4000</code> and create an endpoint with the URL{" "}
        <code>http://localhost:4000/hooks</code>. Plain http is allowed for the hosts in this variable. See{" "}
        <Link href="/docs/operating#variables">Environment variables</Link>.
      </p>
    </>
  );
}
