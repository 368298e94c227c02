import Link from "next/link";
import { Heading } from "../parts/article";
import { Shell } from "../parts/code";

const INNGEST_SERVER = `export INNGEST_BASE_URL=http://inngest.internal:8288
export INNGEST_EVENT_KEY=EVENT_KEY INNGEST_SIGNING_KEY=SIGNING_KEY
export INNGEST_SERVE_ORIGIN=http://waypost.internal:3000`;

/** How to run the jobs on an Inngest server, and what happens to them while it is unavailable. */
export function InngestServer() {
  return (
    <>
      <Heading id="inngest">Inngest server</Heading>
      <p>
        By default, jobs run in the Waypost process: handing messages over to WhatsApp, processing callbacks,
        and sweeps. You can also run them with your own{" "}
        <a href="https://www.inngest.com/docs/self-hosting">Inngest server</a> or with Inngest Cloud, which
        distributes them over the processes and shows each run. Give every process the same keys:
      </p>
      <Shell lines={INNGEST_SERVER} />
      <ul>
        <li>
          For Inngest Cloud, leave out <code>INNGEST_BASE_URL</code>. The server calls{" "}
          <code>/api/inngest</code> at <code>INNGEST_SERVE_ORIGIN</code>. If several processes run jobs, this
          is the address of the load balancer in front of them. Processes with <code>WAYPOST_ROLE=jobs</code>{" "}
          require this variable. Other processes use <code>WAYPOST_PUBLIC_URL</code> by default, or the
          address that they listen on.
        </li>
        <li>
          A signing key is hexadecimal, with an even number of characters (<code>openssl rand -hex 32</code>).
          Signing keys of Inngest Cloud start with <code>signkey-prod-</code>. Your own server requires the
          key without this prefix. An event key can be any text.
        </li>
        <li>
          Every process that runs jobs registers the functions at its start, and again whenever the server was
          unavailable. It also checks that the functions respond at the address that it registered. If there
          is a problem, the log names the server, the address and the cause: the server can’t be reached, it
          refuses the signing key, or something else responds at the address. The log reports this once when
          the problem begins and once when it ends.
        </li>
        <li>
          Calls are signed in both directions. An unsigned call is refused with 401. To replace the signing
          key, start the processes with the new key, and with the old key as{" "}
          <code>INNGEST_SIGNING_KEY_FALLBACK</code>. Then change the key at the server, and remove the
          fallback.
        </li>
        <li>
          Messages don’t depend on the Inngest server: the messages to send are in PostgreSQL, and an event
          only says where to look. A lost event delays a message by up to ten seconds. If the server has run
          nothing for 20 seconds, or accepts no events, the processes that run jobs run them without the
          server, until it runs functions again. Meanwhile <code>/readyz</code> reports <code>inngest</code>{" "}
          as degraded, and so does the metric{" "}
          <Link href="/docs/metrics">
            <code>waypost_degraded</code>
          </Link>
          , which has an alert. If you run Next.js without a Waypost process that runs jobs, functions wait
          until the server is back.
        </li>
      </ul>
    </>
  );
}
