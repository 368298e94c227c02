"use client";

import { Loader, Text, VisuallyHidden } from "@mantine/core";
import type { ReactNode } from "react";
import { upperFirst } from "@/app/ui/format";
import { IconAlertCircle, IconAlertTriangle, IconCircleCheck, IconClock } from "@/app/ui/icons";
import styles from "./number-checks.module.css";
import { CHECKS, type CheckState, type CheckStates, type NumberCheck } from "./use-number-checks";

const TITLES: Readonly<Record<NumberCheck, string>> = {
  token: "Access token",
  account: "WhatsApp Business Account",
  number: "Phone number",
  secret: "App secret",
  webhooks: "Subscription to events",
};

/** Shows the checks of a number in their order, with the state or the result of each. */
export function NumberChecks({
  states,
  children,
}: {
  readonly states: CheckStates;
  /** Ways out of the last check, if it failed. */
  readonly children: ReactNode;
}) {
  const hasFailed = CHECKS.some((check) => states[check].kind === "failed");
  return (
    <ol className={styles.list} aria-label="Checks with Meta" aria-live="polite">
      {CHECKS.map((check) => (
        <Check key={check} title={TITLES[check]} state={states[check]} isSkipped={hasFailed}>
          {check === "webhooks" ? children : null}
        </Check>
      ))}
      <li className={styles.check}>
        <Icon kind="waiting" />
        <div className={styles.words}>
          <Text size="sm" fw={600}>
            Callback URL
          </Text>
          <Text size="sm" c="dimmed">
            After connecting: the channel’s page shows what to enter at Meta, and when Meta has verified it.
          </Text>
        </div>
      </li>
    </ol>
  );
}

function Check({
  title,
  state,
  isSkipped,
  children,
}: {
  title: string;
  state: CheckState;
  isSkipped: boolean;
  children: ReactNode;
}) {
  return (
    <li className={styles.check} aria-atomic="true">
      <Icon kind={state.kind === "passed" && state.warning !== null ? "warning" : state.kind} />
      <div className={styles.words}>
        <Text size="sm" fw={600}>
          {title}
          <VisuallyHidden>: {state.kind}</VisuallyHidden>
        </Text>
        <Result of={state} isSkipped={isSkipped}>
          {children}
        </Result>
      </div>
    </li>
  );
}

function Result({
  of: state,
  isSkipped,
  children,
}: {
  of: CheckState;
  isSkipped: boolean;
  children: ReactNode;
}) {
  switch (state.kind) {
    case "waiting":
      return isSkipped ? (
        <Text size="sm" c="dimmed">
          Not checked
        </Text>
      ) : null;
    case "running":
      return (
        <Text size="sm" c="dimmed">
          Checking…
        </Text>
      );
    case "passed":
      return (
        <>
          <Text size="sm" c="dimmed">
            {state.detail}
          </Text>
          {state.warning === null ? null : <Text size="sm">{state.warning}</Text>}
        </>
      );
    case "failed":
      return (
        // The form moves the focus here if no field is at fault.
        <div role={state.field === null ? "alert" : undefined}>
          <Text size="sm" c="var(--mantine-color-error)">
            {upperFirst(state.message)}
          </Text>
          <Text size="sm">{state.advice}</Text>
          {state.field === null ? children : null}
        </div>
      );
  }
}

function Icon({ kind }: { kind: CheckState["kind"] | "warning" }) {
  return (
    <span className={styles.icon} aria-hidden>
      {kind === "running" ? <Loader size={16} /> : null}
      {kind === "waiting" ? <IconClock size={18} color="var(--mantine-color-dimmed)" /> : null}
      {kind === "passed" ? <IconCircleCheck size={20} color="var(--accent)" /> : null}
      {kind === "warning" ? <IconAlertTriangle size={20} color="var(--mantine-color-yellow-7)" /> : null}
      {kind === "failed" ? <IconAlertCircle size={20} color="var(--mantine-color-error)" /> : null}
    </span>
  );
}
