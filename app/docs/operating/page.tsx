import type { Metadata } from "next";
import Link from "next/link";
import { getRuntime } from "@/app/runtime";
import { upperFirst } from "@/app/ui/format";
import { Article, Heading, Note, Prose, Table } from "../parts/article";
import { Command, Shell } from "../parts/code";
import { InngestServer } from "./inngest-server";
import { OwnDatabase } from "./own-database";
import { RealNumber } from "./real-number";
import { Supervision } from "./supervision";

export const metadata: Metadata = { title: "Operating" };

const ROLES = [
  ["all", "Everything. The default."],
  ["api", "The public API and WhatsApp’s callbacks."],
  ["admin", "The pages, this documentation among them."],
  ["jobs", "Sending, retries and the sweep."],
] as const;

const KEY_LIMITS = `npm run waypost -- key set KEY_ID --send-limit 600 --read-limit 6000`;

const REDIS = `export REDIS_URL=rediss://:PASSWORD@redis.internal:6379`;

const UPSTASH = `export UPSTASH_REDIS_REST_URL=https://NAME.upstash.io
export UPSTASH_REDIS_REST_TOKEN=TOKEN`;

const EXAMINE = `npm run -s waypost -- doctor`;

const KEEP = `npm run waypost -- org set ORGANIZATION_ID --retention-days 30`;

const ERASE = `npm run waypost -- contact erase --help`;

const HEALTH = `curl -sS "$WAYPOST_URL/healthz"
curl -sS "$WAYPOST_URL/readyz"`;

export default async function OperatingPage() {
  const { variables, commands } = (await getRuntime()).documentation;
  return (
    <Article
      path="/docs/operating"
      lead="One command runs everything, with nothing to configure. Every part of it can be replaced, by configuration alone."
    >
      <Heading id="start">Start and stop</Heading>
      <Shell lines="npm ci && npm start" inCheckout />
      <p>
        <code>npm start</code> builds what isn’t built for the present source, brings the database up to date,
        and runs until Ctrl-C or SIGTERM. It then takes nothing new, lets calls under way end, stores their
        answers, stops PostgreSQL last, and is done within 30 seconds; beside other processes it{" "}
        <Link href="#rolling">drains first</Link>. A wrong variable is named, with what is expected, and ends
        the start with exit code 1; so does a first start with less than 512 MiB free on the data directory,
        and a system that lets a process have fewer than 512 files open: <code>ulimit -n</code> shows the
        limit, <code>ulimit -n 4096</code> raises it for the shell, and{" "}
        <Link href="#supervision">under systemd</Link> <code>LimitNOFILE</code> does.
      </p>
      <p>
        Node.js 22 and 24 are supported. 20.19 still works, but Node.js 20 gets no security fixes since April
        2026.
      </p>
      <p>
        After <code>kill -9</code> or a power cut just start again: what was accepted is in PostgreSQL, and a
        sweep finds within seconds what was left behind.
      </p>

      <Supervision />

      <RealNumber />

      <Heading id="key-limits">What a key may do in a minute</Heading>
      <p>
        A new key may send 60 messages a minute and read 600 times. <code>key create</code> gives it others
        with <code>--send-limit</code> and <code>--read-limit</code>; <code>key set</code> changes them later,
        from the next request on, and leaves the one that isn’t given as it is. <code>key list --json</code>{" "}
        shows both. What they mean to the key’s user: <Link href="/docs/limits">Limits</Link>.
      </p>
      <Shell lines={KEY_LIMITS} inCheckout />

      <Heading id="data">The data directory and backups</Heading>
      <p>
        <code>data</code> in the checkout, or <code>WAYPOST_DATA_DIR</code>, holds the embedded PostgreSQL,
        uploads, the simulator and the secret that encrypts access tokens. One process owns it; a second start
        on it says so and ends.
      </p>
      <ul>
        <li>
          To back it up, stop Waypost and copy the directory as a whole. A copy of a running database is worth
          nothing.
        </li>
        <li>
          With a PostgreSQL of your own, back that up as you do already, and keep <code>WAYPOST_SECRET</code>{" "}
          apart: without it no channel’s token can be read.
        </li>
        <li>
          Uploads are files in the data directory also then, and last 30 days. Processes on several machines
          need that directory in common, or what one took in another can’t send.
        </li>
        <li>
          A database that is newer than the program, or a directory of another PostgreSQL version, is named
          and left alone.
        </li>
      </ul>

      <Heading id="beyond">Beyond one process</Heading>
      <OwnDatabase />
      <p>
        <code>WAYPOST_ROLE</code> says what a process does; at least one must run jobs, or accepted messages
        wait.
      </p>
      <Table
        head={["Role", "Serves"]}
        rows={ROLES.map(([role, serves]) => ({ key: role, cells: [<code key="role">{role}</code>, serves] }))}
      />

      <Heading id="rolling">Restarting without losing a request</Heading>
      <p>
        Run at least two processes that take requests (<code>api</code> or <code>all</code>) behind a proxy,
        with a database that is none of theirs, and stop and start one after the other. At SIGTERM a process
        says 503 at <code>/readyz</code> and stops claiming messages (where an Inngest server calls it, only
        after the drain), and for <code>WAYPOST_DRAIN_SECONDS</code> goes on to answer whatever comes, each
        answer with <code>Connection: close</code>, so that a proxy leaves its connections one by one. Then it
        takes no more, ends what is under way within ten seconds, and exits.
      </p>
      <ul>
        <li>
          Drain for longer than your proxy needs to notice: how often it asks <code>/readyz</code>, times the
          failures that it waits for. One that doesn’t ask learns from connections being refused, and must
          then try the next process.
        </li>
        <li>
          Let the proxy drop idle connections before Waypost does, after 75 seconds; 60 is a common default. A
          request into a connection that is just being closed is lost to both, and no proxy sends a{" "}
          <code>POST</code> again.
        </li>
        <li>
          Give the process 30 seconds to exit before it is killed, and as many more as the drain is longer
          than five. Another signal, a second later or more, ends it at once; Ctrl-C skips the drain.
        </li>
        <li>
          Migrations run at the start of the first new process, and the old ones go on with the new schema. A
          release whose migration the old ones can’t go on with says so: stop all of them first.
        </li>
      </ul>

      <Heading id="pooler">PgBouncer</Heading>
      <p>
        <code>DATABASE_URL</code> may lead to PgBouncer, in transaction mode too: Waypost leaves nothing on a
        connection. At its start it finds out whether a pooler is between, and then prepares no statements,
        which costs one more round trip for each. From PgBouncer 1.21 on, with{" "}
        <code>max_prepared_statements</code> above 0, add <code>?prepare=true</code> to the URL to have them
        prepared; <code>?prepare=false</code> never does. A process uses up to 20 connections; PgBouncer may
        have fewer, two at least.
      </p>

      <InngestServer />

      <Heading id="limiter">Where units are counted</Heading>
      <p>
        What each key uses of its limits is counted in PostgreSQL, exactly, for all processes together. That
        costs one short statement per request. A Redis or Valkey takes it off PostgreSQL, at the price of{" "}
        <Link href="/docs/limits#exact">exactness</Link>; so does Upstash. Give every process the same one:
      </p>
      <Shell lines={REDIS} />
      <Shell lines={UPSTASH} />
      <ul>
        <li>
          One server, not a cluster; what it holds need not survive a restart. Keys begin with{" "}
          <code>waypost:rate:</code> and expire within two minutes. For a certificate of your own authority,
          name it in <code>NODE_EXTRA_CA_CERTS</code>.
        </li>
        <li>Processes count by their own clocks, which must agree to within a second.</li>
        <li>
          While it is away, or takes longer than half a second, requests are let through without a limit and
          without its headers. The log says so once, and once more when it answers again.
        </li>
      </ul>

      <Heading id="health">Health</Heading>
      <p>
        <code>/healthz</code> answers as long as the process lives. <code>/readyz</code> is 200 when this
        process can serve and 503 when it can’t, and names the parts; send requests only where it is 200. What
        is <code>degraded</code> somebody should see to, though requests are answered as well as another
        process would: a limiter that lets everything through, no room for uploads, no process that runs jobs,
        an Inngest server that runs nothing, a database that a newer version has migrated.{" "}
        <Link href="/docs/metrics">Metrics and alerts</Link> tell more.
      </p>
      <Shell lines={HEALTH} answers={[200, 200]} />
      <p>
        While the database is away requests are answered with{" "}
        <Link href="/docs/errors#unavailable">
          <code>unavailable</code>
        </Link>{" "}
        and <code>Retry-After</code>; nothing accepted is lost. Logs are JSON lines on standard error, without
        keys and message texts, and tell each process’s start, with what it is, its drain and its end. The{" "}
        <code>X-Request-Id</code> of a 5xx answer is in them, with <code>LOG_LEVEL=debug</code> that of every
        answer that has one.
      </p>

      <Heading id="doctor">When something is wrong</Heading>
      <p>
        <code>doctor</code> examines database, migrations, limiter, jobs, upstream, callbacks, webhooks,
        secret, clock and disk, beside a running server or without one. Of each it says what it saw and, where
        it isn’t well, what to do; its exit code is 1 when something fails.
      </p>
      <Shell lines={EXAMINE} inCheckout />
      <p>
        A channel that WhatsApp stopped, for an expired token or a missing payment, is paused: its messages
        wait. The log says so at once, with WhatsApp’s own code; the page Channels, <code>channel list</code>{" "}
        and <code>doctor</code> say it as long as it lasts. Waypost goes on by itself as soon as the number
        works again; Resume on the channel’s page, or <code>channel resume</code>, lets it try at once.
      </p>

      <Heading id="erasing">What is kept, and erasing it</Heading>
      <p>
        What was said and to whom is kept for 90 days, or for as many as an organization is given, 2 at least.
        Then texts, files and numbers are erased. Ids, states, error codes and times stay, so that a repeat is
        still answered and no id is ever free again. WhatsApp’s callbacks are kept as they came for 30 days,
        or for less where content is. Requests with a known key that were refused are kept for 7 days, by
        request id, route, status, code, field and <code>client_message_id</code> and without anything of
        their bodies, of each key 60 a minute at most; how many there were, by the hour, for 400 days.
      </p>
      <Shell lines={KEEP} inCheckout />
      <p>
        With <code>--upload-quota 20GiB</code> the same command sets how much space an organization’s{" "}
        <Link href="/docs/uploads#limits">uploads</Link> may take, 10 GiB when it was never set;{" "}
        <code>org list</code> shows how much they take.
      </p>
      <p>
        One customer is erased with <code>contact erase</code>: from every table, stored callback and file,
        uploads that were sent to nobody else included. Messages to them that still wait fail as{" "}
        <Link href="/docs/errors#contact_erased">
          <code>contact_erased</code>
        </Link>
        .
      </p>
      <Shell lines={ERASE} answers={[]} inCheckout />
      <p>What no command reaches, and you may have to see to:</p>
      <ul>
        <li>backups, which hold what they held when they were made;</li>
        <li>
          PostgreSQL’s own files: erased rows stay in them until vacuum and the recycling of its log have
          overwritten them;
        </li>
        <li>the simulator’s ledger, where messages were sent to a simulated WhatsApp;</li>
        <li>what WhatsApp and the customer’s own devices have.</li>
      </ul>

      <Heading id="commands">Commands</Heading>
      <p>
        <Command line="npm run waypost -- …" /> works beside a running server or without one. Each command
        takes <code>--json</code> and <code>--help</code>.
      </p>
      <Table
        isStacked
        head={["Command", "What it does"]}
        rows={commands.map(({ name, description }) => ({
          key: name,
          cells: [<code key="name">{name}</code>, <Prose key="description" text={sentence(description)} />],
        }))}
      />
      <Note>
        <p>
          Keys are shown once, when they are made or rotated. A revoked key stops with the next request, on
          every process; messages that were accepted before are still sent.
        </p>
      </Note>

      <Heading id="variables">Variables</Heading>
      <p>
        None is needed for the embedded default; with <code>DATABASE_URL</code>, <code>WAYPOST_SECRET</code>{" "}
        is. An empty value counts as absent. A name that is one or two letters off is pointed out at the
        start.
      </p>
      <Table
        isStacked
        head={["Variable", "What it is for", "Must be", "Default"]}
        rows={variables.map(({ name, purpose, defaultValue, expected }) => ({
          key: name,
          cells: [
            <code key="name">{name}</code>,
            <Prose key="purpose" text={sentence(purpose)} />,
            expected,
            defaultValue === null ? "" : <code key="default">{defaultValue}</code>,
          ],
        }))}
      />
    </Article>
  );
}

function sentence(text: string): string {
  return `${upperFirst(text)}.`;
}
