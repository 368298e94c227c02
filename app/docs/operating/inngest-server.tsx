import Link from "next/link";
import { Heading } from "../parts/article";
import { Shell } from "../parts/code";

const INNGEST_SERVER = `export INNGEST_BASE_URL=http://inngest.internal:8288
export INNGEST_EVENT_KEY=EVENT_KEY INNGEST_SIGNING_KEY=SIGNING_KEY
export INNGEST_SERVE_ORIGIN=http://waypost.internal:3000`;

/** How an Inngest server comes to run the jobs, and what becomes of them while it is away. */
export function InngestServer() {
  return (
    <>
      <Heading id="inngest">An Inngest server</Heading>
      <p>
        Jobs run in process: handing messages to WhatsApp, working through callbacks, sweeping. They can be
        run by an <a href="https://www.inngest.com/docs/self-hosting">Inngest server</a> of your own, or by
        Inngest Cloud, which spreads them over the processes and shows each run. Give every process the same
        keys:
      </p>
      <Shell lines={INNGEST_SERVER} />
      <ul>
        <li>
          For Inngest Cloud leave <code>INNGEST_BASE_URL</code> out. The server calls{" "}
          <code>/api/inngest</code> at <code>INNGEST_SERVE_ORIGIN</code>; where several processes run jobs,
          that is the address of what stands before them. Processes with <code>WAYPOST_ROLE=jobs</code> need
          it; others take <code>WAYPOST_PUBLIC_URL</code>, or the address on which they listen.
        </li>
        <li>
          A signing key is hexadecimal, with an even number of characters (<code>openssl rand -hex 32</code>);
          Inngest Cloud’s begin with <code>signkey-prod-</code>, a server of your own wants it bare. An event
          key can be any text.
        </li>
        <li>
          Every process that runs jobs registers the functions at its start, and again whenever the server has
          been away, and asks at the address that it gave whether the functions answer there. The log names
          the server, the address and what is wrong: a server that can’t be reached, a signing key that it
          refuses, something else at the address; once when it begins, and once when it is over. Calls are
          signed in both directions; one that isn’t is answered with 401. To replace the signing key, start
          the processes with the new one and the old one as <code>INNGEST_SIGNING_KEY_FALLBACK</code>, change
          it at the server, and drop the fallback.
        </li>
        <li>
          Messages don’t depend on it: what is to be sent stands in PostgreSQL, and an event only says where
          to look. A lost event costs up to ten seconds. When the server has run nothing for 20 seconds, or
          takes no events, the processes that run jobs do so themselves, as without a server, until it runs
          functions again; <code>/readyz</code> then names <code>inngest</code> as degraded, and so does{" "}
          <Link href="/docs/metrics">
            <code>waypost_degraded</code>
          </Link>
          , for which there is an alert. Where you run Next.js without a Waypost process that runs jobs,
          functions wait until the server is back.
        </li>
      </ul>
    </>
  );
}
