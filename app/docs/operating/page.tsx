import type { Metadata } from "next";
import Link from "next/link";
import { getRuntime } from "@/app/runtime";
import { upperFirst } from "@/app/ui/format";
import { Article, Heading, Note, Prose, Table } from "../parts/article";
import { Command, Shell } from "../parts/code";
import { Erasing } from "./erasing";
import { InngestServer } from "./inngest-server";
import { OwnDatabase } from "./own-database";
import { RealNumber } from "./real-number";
import { Supervision } from "./supervision";

export const metadata: Metadata = { title: "Operations" };

const ROLES = [
  ["all", "Everything. The default."],
  ["api", "The public API and WhatsApp’s callbacks."],
  ["admin", "The web pages, including this documentation."],
  ["jobs", "Sending, retries and the sweep."],
] as const;

const KEY_LIMITS = `npm run waypost -- key set KEY_ID --send-limit 600 --read-limit 6000`;

const REDIS = `export REDIS_URL=rediss://:PASSWORD@redis.internal:6379`;

const UPSTASH = `export UPSTASH_REDIS_REST_URL=https://NAME.upstash.io
export UPSTASH_REDIS_REST_TOKEN=TOKEN`;

const EXAMINE = `npm run -s waypost -- doctor`;

const HEALTH = `curl -sS "$WAYPOST_URL/healthz"
curl -sS "$WAYPOST_URL/readyz"`;

export default async function OperatingPage() {
  const { variables, commands } = (await getRuntime()).documentation;
  return (
    <Article
      path="/docs/operating"
      lead="One command runs everything, without any configuration. You can replace each part by configuration alone."
    >
      <Heading id="start">Start and stop</Heading>
      <Shell lines="npm ci && npm start" inCheckout />
      <p>
        <code>npm start</code> builds Waypost if the current source isn’t built yet, migrates the database,
        and runs until Ctrl-C or SIGTERM. On shutdown it accepts nothing new, lets running calls finish,
        stores their responses, and stops PostgreSQL last. The shutdown takes at most 30 seconds. If other
        processes can take over, because it uses <code>DATABASE_URL</code> or <code>WAYPOST_ATTACH</code>, it{" "}
        <Link href="#rolling">drains first</Link>. The owner of an embedded database doesn’t: its PostgreSQL
        stops with it, and attached processes respond with 503 until it runs again.
      </p>
      <p>
        The start ends with exit code 1 if a variable is invalid, and shows its name and the expected value.
        It also ends with exit code 1 if a first start finds less than 512 MiB free on the disk of the data
        directory, or if the system lets a process have fewer than 512 files open: <code>ulimit -n</code>{" "}
        shows the limit, and <code>ulimit -n 4096</code> raises it for the shell.{" "}
        <Link href="#supervision">Under systemd</Link>, set <code>LimitNOFILE</code>.
      </p>
      <p>
        Node.js 22 and 24 are supported. 20.19 still works, but Node.js 20 has received no security fixes
        since April 2026.
      </p>
      <p>
        After <code>kill -9</code> or a power failure, just start Waypost again. Everything that was accepted
        is in PostgreSQL, and a sweep finds unfinished work within seconds.
      </p>

      <Supervision />

      <RealNumber />

      <Heading id="key-limits">Rate limits of API keys</Heading>
      <p>
        A new key can send 60 messages and make 600 other requests a minute. To set other limits, use{" "}
        <code>key create</code> with <code>--send-limit</code> and <code>--read-limit</code>.{" "}
        <code>key set</code> changes the limits later, from the next request on. A limit that you don’t give
        stays unchanged. <code>key list --json</code> shows both limits. For details about the limits, see{" "}
        <Link href="/docs/limits">Limits</Link>.
      </p>
      <Shell lines={KEY_LIMITS} inCheckout />

      <Heading id="data">Data directory and backups</Heading>
      <p>
        The data directory is <code>data</code> in the checkout, or <code>WAYPOST_DATA_DIR</code>. It contains
        the embedded PostgreSQL, uploads, the data of the simulator and the secret that encrypts access
        tokens. One process owns the directory. If you start a second process on it, that process reports this
        and ends.
      </p>
      <ul>
        <li>
          To back up the directory, stop Waypost and copy the whole directory. A copy of a running database is
          useless.
        </li>
        <li>
          If you use your own PostgreSQL, back it up with your usual tools, and store{" "}
          <code>WAYPOST_SECRET</code> separately. Without it, no access token of a channel can be decrypted.
        </li>
        <li>
          With your own PostgreSQL, uploads are still files in the data directory, and are kept for 30 days.
          Processes on several machines must share this directory, otherwise one process can’t send a file
          that another has received.
        </li>
        <li>
          If the database is newer than the program, or the directory belongs to another PostgreSQL version,
          Waypost reports this and doesn’t change anything.
        </li>
      </ul>

      <Heading id="beyond">Run several processes</Heading>
      <OwnDatabase />
      <p>
        <code>WAYPOST_ROLE</code> determines what a process does. At least one process must run jobs,
        otherwise accepted messages wait.
      </p>
      <Table
        head={["Role", "Tasks"]}
        rows={ROLES.map(([role, serves]) => ({ key: role, cells: [<code key="role">{role}</code>, serves] }))}
      />

      <Heading id="rolling">Rolling restarts</Heading>
      <p>
        To restart without losing a request, run at least two processes that accept requests (<code>api</code>{" "}
        or <code>all</code>) behind a proxy, with a database that isn’t embedded in one of them. Restart one
        process after the other. On SIGTERM a process responds with 503 at <code>/readyz</code> and stops
        claiming messages (if an Inngest server calls it, only after the drain). For{" "}
        <code>WAYPOST_DRAIN_SECONDS</code> it still responds to all requests, each with{" "}
        <code>Connection: close</code>, so that the proxy closes its connections one by one. Then it accepts
        no more requests, finishes running work within ten seconds, and exits.
      </p>
      <ul>
        <li>
          The drain must be longer than your proxy needs to notice the shutdown: the interval of its checks of{" "}
          <code>/readyz</code>, multiplied by the number of failures that it waits for. A proxy without health
          checks notices only when connections are refused, and must then try the next process.
        </li>
        <li>
          Waypost closes idle connections after 75 seconds. Configure the proxy to close them earlier; 60
          seconds is a common default. A request on a connection that is just being closed is lost for both
          sides, and no proxy repeats a <code>POST</code>.
        </li>
        <li>
          Give the process 30 seconds to exit before it is killed. If the drain is longer than five seconds,
          add the difference. Another signal, at least one second later, ends the process immediately. Ctrl-C
          skips the drain.
        </li>
        <li>
          Migrations run at the start of the first new process, and the old processes continue with the new
          schema. If old processes can’t continue after the migration of a release, the release says so. Then
          stop all of them first.
        </li>
      </ul>

      <Heading id="pooler">PgBouncer</Heading>
      <p>
        <code>DATABASE_URL</code> can point to PgBouncer, also in transaction mode: Waypost keeps no state on
        a connection. At the start, Waypost detects a pooler automatically and then uses no prepared
        statements. This costs one more round trip per statement. With PgBouncer 1.21 or newer and{" "}
        <code>max_prepared_statements</code> above 0, add <code>?prepare=true</code> to the URL to use
        prepared statements. <code>?prepare=false</code> disables them. A process uses up to 20 connections.
        PgBouncer can have fewer, but at least two.
      </p>

      <InngestServer />

      <Heading id="limiter">Rate limiter</Heading>
      <p>
        By default, the usage of each key is counted in PostgreSQL, exactly and for all processes together.
        This costs one short statement per request. With Redis, Valkey or Upstash instead, PostgreSQL has less
        load, but the limits are <Link href="/docs/limits#exact">less exact</Link>. Give every process the
        same configuration:
      </p>
      <Shell lines={REDIS} />
      <Shell lines={UPSTASH} />
      <ul>
        <li>
          Use a single server, not a cluster. Its data doesn’t need to survive a restart. Keys start with{" "}
          <code>waypost:rate:</code> and expire within two minutes. If your own certificate authority issued
          the certificate, set <code>NODE_EXTRA_CA_CERTS</code>.
        </li>
        <li>Processes count with their own clocks, which must not differ by more than one second.</li>
        <li>
          While the server is unavailable, or takes longer than half a second to respond, requests are let
          through without a limit and without its headers. The log reports this once, and once more when the
          server responds again.
        </li>
      </ul>

      <Heading id="health">Health checks and logs</Heading>
      <p>
        <code>/healthz</code> responds as long as the process is alive. <code>/readyz</code> returns 200 if
        this process can serve requests and 503 if it can’t, with the state of each part. Send requests only
        to processes that return 200. A part that is <code>degraded</code> needs attention, although this
        process still serves requests as well as any other: a rate limiter that lets everything through, no
        space for uploads, no process that runs jobs, an Inngest server that runs nothing, or a database that
        a newer version has migrated. See also <Link href="/docs/metrics">Metrics and alerts</Link>.
      </p>
      <Shell lines={HEALTH} answers={[200, 200]} />
      <p>
        While the database is unavailable, requests are refused with{" "}
        <Link href="/docs/errors#unavailable">
          <code>unavailable</code>
        </Link>{" "}
        and <code>Retry-After</code>. Nothing that was accepted is lost.
      </p>
      <p>
        Logs are JSON lines on standard error, without keys and message texts. They record the start of each
        process with its description, its drain and its end. They contain the <code>X-Request-Id</code> of 5xx
        responses and, with <code>LOG_LEVEL=debug</code>, of every response that has one.
      </p>

      <Heading id="doctor">Troubleshooting</Heading>
      <p>
        <code>doctor</code> checks the database, migrations, rate limiter, jobs, upstream, callbacks,
        webhooks, secret, clock and disk, with or without a running server. For each part it shows what it
        found and, if there is a problem, what to do. Its exit code is 1 if something fails.
      </p>
      <Shell lines={EXAMINE} inCheckout />
      <p>
        If WhatsApp stops a channel, for an expired token or a missing payment, the channel is paused and its
        messages wait. The log reports this immediately, with WhatsApp’s own code. The Channels page,{" "}
        <code>channel list</code> and <code>doctor</code> show it as long as it lasts. Waypost continues
        automatically as soon as the number works again. With Resume on the channel’s page, or{" "}
        <code>channel resume</code>, it tries immediately.
      </p>

      <Erasing />

      <Heading id="commands">Commands</Heading>
      <p>
        <Command line="npm run waypost -- …" /> works with a running server, or alone on the database of its
        data directory. Each command accepts <code>--json</code> and <code>--help</code>.
      </p>
      <Table
        isStacked
        head={["Command", "Description"]}
        rows={commands.map(({ name, description }) => ({
          key: name,
          cells: [<code key="name">{name}</code>, <Prose key="description" text={sentence(description)} />],
        }))}
      />
      <Note>
        <p>
          The secret of a key is shown once, when the key is created or rotated. A revoked key is refused from
          the next request on, by every process. Messages that were accepted before are still sent.
        </p>
      </Note>

      <Heading id="variables">Environment variables</Heading>
      <p>
        The default configuration requires no variables. <code>DATABASE_URL</code> requires{" "}
        <code>WAYPOST_SECRET</code>. An empty value counts as not set. The start reports a name that differs
        from a known name by one or two letters.
      </p>
      <Table
        isStacked
        head={["Variable", "Description", "Value", "Default"]}
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
