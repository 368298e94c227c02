import type { Metadata } from "next";
import Link from "next/link";
import type { DocumentedError } from "@/server/boot/documentation";
import { getRuntime } from "@/app/runtime";
import { Article, Fold, Heading, Prose, Table } from "../parts/article";
import { Answer } from "../parts/code";
import { VERDICT_NAMES, VERDICTS } from "../parts/verdicts";
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
          Act on <code>error.code</code>. Codes are stable; <code>error.message</code> is for people and may
          change.
        </>
      }
    >
      <Heading id="envelope">What a refusal looks like</Heading>
      <p>
        Every answer other than 2xx has this body. Every answer at all has an <code>X-Request-Id</code>; the
        server’s log has that of a 5xx answer, and with <code>LOG_LEVEL=debug</code> that of every answer.
      </p>
      <Answer body={REFUSAL} />
      <p>
        These fields are there where they apply: <code>error.field</code> names the field at fault, such as{" "}
        <code>to.handle</code>; <code>error.resend_after</code> is the time from which the same request can
        succeed; <code>error.doc_url</code> leads to the code on this page. Codes can be added: handle a code
        that you don’t know by its HTTP status and its <code>error.resend</code>.
      </p>
      <p>
        Send each body as one JSON object in UTF-8, without <code>Content-Encoding</code>. A body that is not
        one JSON object is answered with <code>validation_failed</code> and no <code>error.field</code>. So is
        a body that has the same member twice, and <code>error.field</code> then names that member. A
        compressed body is answered with <code>unsupported_media_type</code>.
      </p>

      <Heading id="verdicts">Whether to send again</Heading>
      <Table
        isStacked
        head={["error.resend", "Means"]}
        rows={VERDICT_NAMES.map((name) => ({
          key: name,
          cells: [<code key="name">{name}</code>, <Prose key="means" text={VERDICTS[name].means} />],
        }))}
      />
      <p>
        More on <Link href="/docs/states#resend">the resend verdict</Link>.
      </p>

      <Heading id="codes">All codes</Heading>
      <ul className={styles.index}>
        {errors.map(({ code }) => (
          <li key={code}>
            <a href={`#${code}`}>{code}</a>
          </li>
        ))}
      </ul>

      <Heading id="answers">Answers to requests</Heading>
      {answered.map((error) => (
        <Entry key={error.code} error={error} />
      ))}

      <Heading id="failures">Failures of accepted messages</Heading>
      <p>
        These codes appear in the <code>error</code> of a message whose <code>delivery_state</code> is{" "}
        <code>failed</code>. The answer to a request never has them.
      </p>
      <p>
        If WhatsApp made the decision, <code>error.upstream</code> has WhatsApp’s code and title, and{" "}
        <code>error.message</code> says what WhatsApp said. The table shows which <code>error.code</code> a
        message gets that WhatsApp accepted and then failed. If WhatsApp refuses the send call itself with a
        code that the table gives <code>upstream_unavailable</code> or <code>channel_unavailable</code>, the
        message does not fail: Waypost tries it again, and it fails as <code>expired</code> after 12 hours.
      </p>
      <Fold title={`WhatsApp’s codes: ${upstreamCodes.length}`}>
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
          <code>{resend}</code> {VERDICTS[resend].short}
          {resendAfterSeconds === null ? null : `, after ${resendAfterSeconds / 3600} hours`}
        </span>
      </p>
      <p>
        <Prose text={message} />
      </p>
      <p>
        <strong>What to do.</strong> <Prose text={remedy} />
      </p>
    </section>
  );
}
