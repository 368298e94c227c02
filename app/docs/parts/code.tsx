import styles from "./code.module.css";
import { CopyButton } from "./copy-button";

interface ShellProps {
  readonly lines: string;
  readonly answers?: readonly number[];
  readonly inCheckout?: boolean;
}

/**
 * Lines for a shell. `answers` are the expected HTTP statuses of their requests, in order, or an empty list if there
 * are none. e2e/documentation.test.ts runs these lines page by page and checks the statuses. Lines that start the
 * service, contain a value to fill in, or depend on the machine have no `answers` and aren't run. Lines with
 * `inCheckout` work only in the checkout, and say so; the test runs all others elsewhere.
 */
export function Shell({ lines, answers, inCheckout = false }: ShellProps) {
  return (
    <div className={styles.frame}>
      {inCheckout ? <p className={styles.where}>In the checkout:</p> : null}
      <pre
        className={styles.code}
        // Scrollable content must be reachable by keyboard (WCAG 2.1.1).
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        data-answers={answers?.join(",")}
        data-checkout={inCheckout ? "" : undefined}
      >
        <code>{lines}</code>
      </pre>
      <CopyButton text={lines} />
    </div>
  );
}

/** An inline command that works only in the checkout, and says so. */
export function Command({ line }: { line: string }) {
  return (
    <>
      <code>{line}</code> (in the checkout)
    </>
  );
}

/** A program, or part of one. A test in e2e/verifying finds it on the page by its name, and runs it. */
export function Sample({ name, lines }: { name: string; lines: string }) {
  return (
    <div className={styles.frame}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre className={styles.code} tabIndex={0} data-sample={name}>
        <code>{lines}</code>
      </pre>
      <CopyButton text={lines} />
    </div>
  );
}

/** A response body. The same test compares its fields with the response to the shell lines before it. */
export function Answer({ body }: { body: object }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <pre className={styles.code} tabIndex={0} data-body="">
      <code>{JSON.stringify(body, null, 2)}</code>
    </pre>
  );
}
