import type { ReactNode } from "react";
import styles from "./code.module.css";
import { CopyButton } from "./copy-button";

interface CodeProps {
  readonly text: string;
  readonly language: string;
  /**
   * The expected HTTP statuses of the requests of lines for a shell, in order and separated by commas, or an empty text
   * if there are none. e2e/documentation.test.ts runs these lines page by page and checks the statuses. Lines that
   * start the service, contain a value to fill in, or depend on the machine have no `answers` and aren't run.
   */
  readonly answers?: string | undefined;
  /** Lines that work only in the checkout say so; the test runs all others elsewhere. */
  readonly inCheckout?: boolean | undefined;
  /** A response body. The same test compares its fields with the response to the lines before it. */
  readonly body?: boolean | undefined;
  /** A program, or part of one. A test in e2e/verifying finds it on the page by this name, and runs it. */
  readonly sample?: string | undefined;
}

/** A block of code that scrolls, with a button that copies it. */
export function Code({
  text,
  language,
  answers,
  inCheckout = false,
  body = false,
  sample,
}: CodeProps): ReactNode {
  return (
    <div className={styles.frame}>
      {inCheckout ? <p className={styles.where}>In the checkout:</p> : null}
      <pre
        className={styles.code}
        // Scrollable content must be reachable by keyboard (WCAG 2.1.1).
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        data-answers={answers}
        data-checkout={inCheckout ? "" : undefined}
        data-body={body ? "" : undefined}
        data-sample={sample}
      >
        <code className={`language-${language}`}>{text}</code>
      </pre>
      {body ? null : <CopyButton />}
    </div>
  );
}
