import Link from "next/link";
import { Fragment } from "react";
import type { DocumentedError } from "@/server/boot/documentation";
import { Fold, Heading, Prose, Table } from "../parts/article";
import { documentation } from "../parts/documentation";
import { RESEND_ADVICE } from "../parts/resend-advice";
import styles from "./errors.module.css";

/** Links to the entries of all codes. */
export async function Codes() {
  const { errors } = await documentation();
  return (
    <ul className={styles.index}>
      {errors.map(({ code }) => (
        <li key={code}>
          <a href={`#${code}`}>{code}</a>
        </li>
      ))}
    </ul>
  );
}

/** The codes of refused requests. */
export async function RefusalCodes() {
  const { errors } = await documentation();
  return errors
    .filter(({ status }) => status !== null)
    .map((error) => <Entry key={error.code} error={error} />);
}

/** The codes that only messages have. */
export async function FailureCodes() {
  const { errors } = await documentation();
  return errors
    .filter(({ status }) => status === null)
    .map((error) => <Entry key={error.code} error={error} />);
}

function Entry({ error }: { error: DocumentedError }) {
  const { code, status, statusOfGet, failsMessages, message, remedy } = error;
  const { resend, resendAfterSeconds, simulatedBy } = error;
  return (
    <section className={styles.entry} aria-labelledby={code}>
      <Heading id={code} level={3}>
        <code>{code}</code>
      </Heading>
      <ul className={styles.facts}>
        {status === null ? null : <li>HTTP {status}</li>}
        {statusOfGet === null ? null : <li>HTTP {statusOfGet} for GET</li>}
        {failsMessages && status !== null ? <li>also on a failed message</li> : null}
        <li className={styles[resend]}>
          <code>{resend}</code> {RESEND_ADVICE[resend].short}
          {resendAfterSeconds === null ? null : `, after ${resendAfterSeconds / 3600} hours`}
        </li>
      </ul>
      <p>
        <Prose text={message} />
      </p>
      <p>
        <strong>What to do:</strong> <Prose text={remedy} />
      </p>
      <Simulated suffixes={simulatedBy} />
    </section>
  );
}

const SUFFIXES_SHOWN_MAX = 3;

/** The simulated numbers to which a message fails with the code. */
function Simulated({ suffixes }: { suffixes: readonly string[] }) {
  if (suffixes.length === 0) return null;
  const others = suffixes.length - SUFFIXES_SHOWN_MAX;
  return (
    <p>
      <strong>Try it:</strong> in <Link href="/docs/simulator#outcomes">the simulator</Link>, a message to a
      number that ends with{" "}
      {suffixes.slice(0, SUFFIXES_SHOWN_MAX).map((suffix, index) => (
        <Fragment key={suffix}>
          {index === 0 ? null : " or "}
          <code>{suffix}</code>
        </Fragment>
      ))}{" "}
      fails with this code{others > 0 ? `, and to ${others} others` : ""}.
    </p>
  );
}

/** WhatsApp's codes, each with the code of a message that fails with it. A single code can be linked to. */
export async function UpstreamCodes() {
  const { upstreamCodes } = await documentation();
  return (
    <Fold title={`WhatsApp’s error codes: ${upstreamCodes.length}`}>
      <Table
        isStacked
        head={["error.upstream", "error.code", "error.message"]}
        rows={upstreamCodes.map(({ code, title, error, said }) => ({
          key: code,
          id: code.replaceAll(" ", "-"),
          cells: [
            `${code}: ${title}`,
            <a key="error" href={`#${error}`}>
              <code>{error}</code>
            </a>,
            said,
          ],
        }))}
      />
    </Fold>
  );
}
