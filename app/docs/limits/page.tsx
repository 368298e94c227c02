import type { Metadata } from "next";
import Link from "next/link";
import type { Documentation } from "@/server/boot/documentation";
import { getRuntime } from "@/app/runtime";
import { Article, Heading, Note, Prose, Table } from "../parts/article";

export const metadata: Metadata = { title: "Limits" };

const HEADERS = [
  ["X-RateLimit-Limit", "Number of units in the bucket per 60 seconds"],
  ["X-RateLimit-Remaining", "Number of units left now"],
  ["X-RateLimit-Reset", "Unix time at which the next unit becomes available"],
  ["Retry-After", "Only with a 429: number of seconds after which a request can succeed"],
] as const;

const sizes = ({ timeoutMs, graceMs, bytesPerSecondMin, stallMs }: Documentation["uploadTimes"]) =>
  [
    ["Body of a JSON request", "64 KiB", "payload_too_large"],
    ["Time to receive a JSON body", "10 seconds", "request_timeout"],
    ["Time to receive a file", `${timeoutMs / 60_000} minutes`, "request_timeout"],
    [
      "Average upload speed of a file",
      `at least ${bytesPerSecondMin / 1024} KiB per second, after the first ${graceMs / 1000} seconds`,
      "request_timeout",
    ],
    ["Pause between two bytes of a file", `${stallMs / 1000} seconds`, "request_timeout"],
    ["All headers of a request", "16 KiB", "validation_failed"],
    ["`client_message_id`", "128 characters", "validation_failed"],
    ["`text.body` of a text message", "1 to 4096 characters", "validation_failed"],
    ["`text.body` as a caption", "1024 characters", "validation_failed"],
    ["Customer service window for texts and media", "24 hours", "outside_customer_window"],
    [
      "Total size of all uploads of an organization",
      "10 GiB, or as set by the operator",
      "upload_quota_exceeded",
    ],
    ["Time that a message can wait to be handed over", "12 hours", "expired"],
  ] as const;

export default async function LimitsPage() {
  const { buckets, uploadTimes } = (await getRuntime()).documentation;
  return (
    <Article
      path="/docs/limits"
      lead="Rate limits per API key, the headers that report them, and limits on sizes and times."
    >
      <Heading id="rates">Rate limits</Heading>
      <p>
        Each API key has three buckets, each with a sliding window of 60 seconds that all processes share. The
        table shows the limits of a new key. An operator can{" "}
        <Link href="/docs/operating#key-limits">set other limits</Link> for new messages and for other
        requests, when the key is created or later.
      </p>
      <Table
        head={["Bucket", "Per minute", "Applies to"]}
        rows={buckets.map(({ name, limit, covers }) => ({
          key: name,
          cells: [<code key="name">{name}</code>, limit, covers],
        }))}
      />
      <ul>
        <li>
          <strong>Sending.</strong> A request uses a unit only if it creates a message. A repeated request, a
          409 and any other error use none.
        </li>
        <li>
          <strong>Uploads.</strong> A request uses a unit when Waypost starts to read the file, even if it
          then refuses the file. It uses none if it is refused earlier: because of its key, its scope, its
          query or its encoding, because it is a form, or because its <code>Content-Length</code> is larger
          than any file may be. A process receives up to eight files of an organization at a time. The
          response to a ninth request is <code>unavailable</code> with <code>Retry-After</code>.
        </li>
        <li>
          <strong>All other requests.</strong> A request uses a unit when its body has been read, even if it
          is then refused. It uses none if it is refused earlier: because of its key or its scope, because its
          headers or query name an organization, or because its body is too large, encoded, or not a JSON
          object.
        </li>
        <li>When you rotate a key, its secret changes, but its buckets stay the same.</li>
      </ul>

      <Heading id="headers">Rate limit headers</Heading>
      <p>
        A response has these headers if the request used a unit, or if it was refused because the bucket is
        empty. Webhook endpoint tests have a separate limit: their 429 (
        <Link href="/docs/errors#webhook_test_limited">
          <code>webhook_test_limited</code>
        </Link>
        ) has only <code>Retry-After</code>.
      </p>
      <Table
        isStacked
        head={["Header", "Meaning"]}
        rows={HEADERS.map(([name, means]) => ({ key: name, cells: [<code key="name">{name}</code>, means] }))}
      />
      <p>
        If a bucket is empty, the response is 429{" "}
        <Link href="/docs/errors#rate_limited">
          <code>rate_limited</code>
        </Link>
        . Wait for the time in <code>Retry-After</code>, then repeat the same request. If several of your
        processes wait, spread their requests over a few seconds.
      </p>
      <p>
        If the rate limiter itself is not available, requests are let through without these headers. A request
        waits at most half a second for a rate limiter in Redis, Valkey or Upstash. After three such timeouts
        in a row, requests no longer wait: they are let through immediately, and the rate limiter is tried
        once a second until it responds.
      </p>

      <Heading id="exact">How exact the rate limits are</Heading>
      <Table
        isStacked
        head={["Rate limiter", "Guarantee"]}
        rows={[
          {
            key: "postgresql",
            cells: [
              "PostgreSQL (the default)",
              "Never more than the limit in any 60 seconds. It counts in whole seconds, so a wait can take up to 61 seconds. A crash of PostgreSQL resets all usage.",
            ],
          },
          {
            key: "redis",
            cells: [
              "Redis, Valkey or Upstash",
              "An approximation. Usage is counted per minute, and the previous minute counts less with every second of the current minute. Around the change of the minute, nearly twice the limit can get through in 60 seconds. A wait can also take up to 61 seconds, and twice as long after a limit was lowered. Usage that Redis loses, in a restart or by eviction, is not counted.",
            ],
          },
        ]}
      />

      <p>
        The operator chooses the rate limiter. See <Link href="/docs/operating#limiter">Rate limiter</Link>.
      </p>

      <Heading id="sizes">Sizes and times</Heading>
      <Table
        head={["Subject", "Limit", "Error code"]}
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
        For the maximum file sizes, see <Link href="/docs/messages#media">Texts, media and templates</Link>.
      </p>

      <Heading id="whatsapp">WhatsApp’s own limits</Heading>
      <p>
        WhatsApp limits how much a number may send, in total and to one customer. You don’t need to slow down
        for these limits: messages wait, and Waypost hands them over when WhatsApp accepts them again, in
        order within each conversation. If WhatsApp stops a whole number, for example because its access token
        has expired or a payment is missing, its messages wait until the cause is fixed. New messages are
        still accepted. No event reports that a number stopped or that the state of a template changed: use{" "}
        <code>GET /channels</code> and <code>GET /templates</code>.
      </p>
      <Note>
        <p>
          A message that could not be handed over for 12 hours fails with{" "}
          <Link href="/docs/errors#expired">
            <code>expired</code>
          </Link>
          . In this case nothing reached the customer.
        </p>
      </Note>
    </Article>
  );
}
