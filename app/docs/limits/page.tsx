import type { Metadata } from "next";
import Link from "next/link";
import type { Documentation } from "@/server/boot/documentation";
import { getRuntime } from "@/app/runtime";
import { Article, Heading, Note, Prose, Table } from "../parts/article";

export const metadata: Metadata = { title: "Limits" };

const HEADERS = [
  ["X-RateLimit-Limit", "Units of the bucket per 60 seconds"],
  ["X-RateLimit-Remaining", "Units left now"],
  ["X-RateLimit-Reset", "Unix time at which the next unit comes back"],
  ["Retry-After", "Only on a 429: seconds after which one request succeeds"],
] as const;

const sizes = ({ timeoutMs, graceMs, bytesPerSecondMin, stallMs }: Documentation["uploadTimes"]) =>
  [
    ["Body of a JSON request", "64 KiB", "payload_too_large"],
    ["Time for a JSON body to arrive", "10 seconds", "request_timeout"],
    ["Time for a file to arrive", `${timeoutMs / 60_000} minutes`, "request_timeout"],
    [
      "Average speed of a file",
      `at least ${bytesPerSecondMin / 1024} KiB per second, once ${graceMs / 1000} seconds have passed`,
      "request_timeout",
    ],
    ["Pause between two bytes of a file", `${stallMs / 1000} seconds`, "request_timeout"],
    ["All headers of a request", "16 KiB", "validation_failed"],
    ["`client_message_id`", "128 characters", "validation_failed"],
    ["`text.body` of a text", "1 to 4096 characters", "validation_failed"],
    ["`text.body` as a caption", "1024 characters", "validation_failed"],
    ["Customer window for texts and media", "24 hours", "outside_customer_window"],
    ["All uploads of an organization", "10 GiB, or as the operator set it", "upload_quota_exceeded"],
    ["Waiting to be handed over", "12 hours", "expired"],
  ] as const;

export default async function LimitsPage() {
  const { buckets, uploadTimes } = (await getRuntime()).documentation;
  return (
    <Article
      path="/docs/limits"
      lead="What a key may do in a minute, how the answers tell, and the sizes of everything."
    >
      <Heading id="rates">Rates</Heading>
      <p>
        Each API key has three buckets, over a sliding window of 60 seconds that all processes share. These
        are the limits of a new key; an operator can{" "}
        <Link href="/docs/operating#key-limits">give a key others</Link> for sending and reading, when it is
        made or later.
      </p>
      <Table
        head={["Bucket", "Per minute", "Counts"]}
        rows={buckets.map(({ name, limit, covers }) => ({
          key: name,
          cells: [<code key="name">{name}</code>, limit, covers],
        }))}
      />
      <ul>
        <li>
          <strong>Sending.</strong> A request takes a unit only when it creates a message. A repeat, a 409 and
          every other error cost nothing.
        </li>
        <li>
          <strong>Uploads.</strong> A request takes a unit when Waypost starts to read the file, even if it
          then refuses the file. It takes none if it is refused earlier: because of its key, its scope, its
          query or its encoding, because it is a form, or because its <code>Content-Length</code> is larger
          than any file may be. A process receives eight files of an organization at a time; a ninth request
          is answered with <code>unavailable</code> and <code>Retry-After</code>.
        </li>
        <li>
          <strong>Everything else.</strong> A request takes a unit when its body has been read, even if it is
          then refused. It takes none if it is refused earlier: because of its key or its scope, because its
          headers or query name an organization, or because its body is too large, encoded, or not a JSON
          object.
        </li>
        <li>Rotating a key changes its secret, not its buckets.</li>
      </ul>

      <Heading id="headers">Headers</Heading>
      <p>
        An answer has these headers when its request took a unit, or was refused because the bucket is empty.
        The limit of endpoint tests is another one: its 429 (
        <Link href="/docs/errors#webhook_test_limited">
          <code>webhook_test_limited</code>
        </Link>
        ) has <code>Retry-After</code> only.
      </p>
      <Table
        isStacked
        head={["Header", "Means"]}
        rows={HEADERS.map(([name, means]) => ({ key: name, cells: [<code key="name">{name}</code>, means] }))}
      />
      <p>
        When a bucket is empty the answer is 429{" "}
        <Link href="/docs/errors#rate_limited">
          <code>rate_limited</code>
        </Link>
        . Wait for <code>Retry-After</code>, then repeat the same request; if many of your processes wait,
        spread them over some seconds. When the limiter itself can’t be asked, requests are let through,
        without these headers. A request waits half a second at most for a limiter in Redis, Valkey or
        Upstash; once three in a row have waited in vain, none waits any more: all are let through at once,
        and the limiter is tried once a second until it answers.
      </p>

      <Heading id="exact">How exact the rates are</Heading>
      <Table
        isStacked
        head={["Limiter", "Promises"]}
        rows={[
          {
            key: "postgresql",
            cells: [
              "PostgreSQL (the default)",
              "Never more than the limit in any 60 seconds. It counts whole seconds, so a wait can take up to 61 seconds. A crash of PostgreSQL empties the buckets.",
            ],
          },
          {
            key: "redis",
            cells: [
              "Redis, Valkey or Upstash",
              "An approximation. Minutes are counted whole, and the previous one weighs less with every second of the present one; across the edge between them, up to nearly twice the limit can get through in 60 seconds. A wait can take up to 61 seconds too, and twice that after a limit was lowered. What Redis loses, in a restart or by eviction, is not counted.",
            ],
          },
        ]}
      />

      <p>
        Which of them counts is the operator’s choice:{" "}
        <Link href="/docs/operating#limiter">where units are counted</Link>.
      </p>

      <Heading id="sizes">Sizes and times</Heading>
      <Table
        head={["What", "Limit", "Beyond it"]}
        rows={sizes(uploadTimes).map(([what, limit, code]) => ({
          key: what,
          cells: [
            <Prose key="what" text={what} />,
            limit,
            <Link key="code" href={`/docs/errors#${code}`}>
              <code>{code}</code>
            </Link>,
          ],
        }))}
      />
      <p>
        The sizes of files are on <Link href="/docs/messages#media">Texts, media and templates</Link>.
      </p>

      <Heading id="whatsapp">WhatsApp’s own limits</Heading>
      <p>
        WhatsApp limits what a number may send, to everybody and to one customer. You needn’t slow down for
        it: messages wait and are handed over when WhatsApp takes them again, those of one conversation in
        their order. Only where WhatsApp stops a whole number, for an expired access token or a missing
        payment, do its messages wait until that is mended; new ones are still accepted. No event tells of it,
        nor of a template’s new state: <code>GET /channels</code> and <code>GET /templates</code> do.
      </p>
      <Note>
        <p>
          A message that could not be handed over for 12 hours fails as{" "}
          <Link href="/docs/errors#expired">
            <code>expired</code>
          </Link>
          . Nothing reached the customer then.
        </p>
      </Note>
    </Article>
  );
}
