import type { Metadata } from "next";
import Link from "next/link";
import type { DocumentedError } from "@/server/boot/documentation";
import { getRuntime } from "@/app/runtime";
import { Article, Fold, Heading, Prose, Table } from "../parts/article";
import { Answer } from "../parts/code";
import { RESEND_ADVICE, ResendTable } from "../parts/resend-advice";
import styles from "./errors.module.css";

export const metadata: Metadata = { title: "Errors" };

const REFUSAL = {
  error: {
    code: "outside_customer_window",
    message: "The customer hasn't written on this channel in the last 24 hours.",
    resend: "later",
  },
};

export default async function ErrorsPage() {
  const { errors, upstreamCodes } = (await getRuntime()).documentation;
  const answered = errors.filter(({ status }) => status !== null);
  const carried = errors.filter(({ status }) => status === null);
  return (
    <Article
      path="/docs/errors"
      lead={
        <>
          Handle errors by <code>error.code</code>. Codes are stable. <code>error.message</code> is for people
          and may change.
        </>
      }
    >
      <Heading id="envelope">Error responses</Heading>
      <p>
        Every response other than 2xx has this body. Every response, including 2xx, has an{" "}
        <code>X-Request-Id</code> header. The server log contains the ids of 5xx responses, and of all
        responses with <code>LOG_LEVEL=debug</code>.
      </p>
      <Answer body={REFUSAL} />
      <p>
        These fields are optional: <code>error.field</code> names the invalid field, for example{" "}
        <code>to.handle</code>. <code>error.resend_after</code> is the time from which sending again can
        succeed. <code>error.doc_url</code> links to the code on this page. New codes can be added: handle a
        code that you don’t know by its HTTP status and its <code>error.resend</code>.
      </p>
      <p>
        Send each body as one JSON object in UTF-8, without <code>Content-Encoding</code>. A body that is not
        one JSON object is refused with <code>validation_failed</code>, without <code>error.field</code>. A
        body that has the same member twice is also refused with <code>validation_failed</code>, and{" "}
        <code>error.field</code> names that member. A compressed body is refused with{" "}
        <code>unsupported_media_type</code>.
      </p>

      <Heading id="verdicts">When to send again</Heading>
      <ResendTable />
      <p>
        For more details, see <Link href="/docs/states#resend">When to send again</Link>.
      </p>

      <Heading id="codes">List of error codes</Heading>
      <ul className={styles.index}>
        {errors.map(({ code }) => (
          <li key={code}>
            <a href={`#${code}`}>{code}</a>
          </li>
        ))}
      </ul>

      <Heading id="answers">Errors in responses</Heading>
      {answered.map((error) => (
        <Entry key={error.code} error={error} />
      ))}

      <Heading id="failures">Errors of accepted messages</Heading>
      <p>
        These codes appear in the <code>error</code> of a message whose <code>delivery_state</code> is{" "}
        <code>failed</code>. They never appear in the response to a request.
      </p>
      <p>
        If WhatsApp caused the failure, <code>error.upstream</code> has WhatsApp’s code and title, and{" "}
        <code>error.message</code> explains it. The table shows which <code>error.code</code> a message gets
        if WhatsApp first accepted it and then failed it.
      </p>
      <p>
        A refused send call is different: if the table maps WhatsApp’s code to{" "}
        <code>upstream_unavailable</code> or <code>channel_unavailable</code>, the message does not fail.
        Waypost retries it, and it fails with <code>expired</code> after 12 hours.
      </p>
      <Fold title={`WhatsApp’s error codes: ${upstreamCodes.length}`}>
        <Table
          isStacked
          head={["error.upstream", "error.code", "error.message"]}
          rows={upstreamCodes.map(({ code, title, error, said }) => ({
            key: code,
            cells: [`${code}: ${title}`, <code key="error">{error}</code>, said],
          }))}
        />
      </Fold>
      {carried.map((error) => (
        <Entry key={error.code} error={error} />
      ))}
    </Article>
  );
}

function Entry({ error }: { error: DocumentedError }) {
  const { code, status, failsMessages, message, remedy, resend, resendAfterSeconds } = error;
  return (
    <section className={styles.entry} aria-labelledby={code}>
      <Heading id={code} level={3}>
        <code>{code}</code>
      </Heading>
      <p className={styles.facts}>
        {status === null ? null : <span>HTTP {status}</span>}
        {failsMessages && status !== null ? <span>also on a failed message</span> : null}
        <span className={styles[resend]}>
          <code>{resend}</code> {RESEND_ADVICE[resend].short}
          {resendAfterSeconds === null ? null : `, after ${resendAfterSeconds / 3600} hours`}
        </span>
      </p>
      <p>
        <Prose text={message} />
      </p>
      <p>
        <strong>What to do:</strong> <Prose text={remedy} />
      </p>
    </section>
  );
}
