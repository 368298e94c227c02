"use client";

import { Alert, Anchor, Button, Code, Group, Skeleton, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { toApiError, SignedOut } from "./api-error";
import { exactTime } from "./time";
import { Words } from "./words";

interface Asked<T> {
  readonly data: T | undefined;
  /** Milliseconds since 1970. */
  readonly dataUpdatedAt: number;
  readonly error: unknown;
  refetch(): unknown;
}

/**
 * Shows a query's data once it has loaded. Until then it shows a skeleton, and after a failure the reason and what to
 * do. Loaded data stays when a refetch fails, with a note of its age.
 */
export function QueryState<T>({
  query,
  rows = 6,
  children,
}: {
  query: Asked<T>;
  /** Number of skeleton lines. */
  rows?: number;
  children: (data: T) => ReactNode;
}) {
  if (query.data !== undefined) {
    return (
      <>
        {query.error ? <Outdated error={query.error} since={query.dataUpdatedAt} /> : null}
        {children(query.data)}
      </>
    );
  }
  if (query.error) return <Failure error={query.error} onRetry={() => void query.refetch()} />;
  return (
    <output aria-label="Loading" style={{ display: "block" }}>
      <Stack gap="sm">
        {Array.from({ length: rows }, (_, index) => (
          <Skeleton key={index} height={28} />
        ))}
      </Stack>
    </output>
  );
}

function Outdated({ error, since }: { error: unknown; since: number }) {
  return (
    <Alert color="yellow" variant="light" mb="sm">
      This can’t be updated. Last updated {exactTime(new Date(since))}.{" "}
      <Words>{toApiError(error).message}</Words>
    </Alert>
  );
}

const ISO_TIMES = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

/** Messages are also for programs, so they spell times in ISO 8601. */
const withReadableTimes = (message: string) => message.replace(ISO_TIMES, (at) => exactTime(new Date(at)));

/** Shows an error in words, with what to do and the request id used in the log. */
function Failure({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { message, remedy, requestId, code } = toApiError(error);
  return (
    <Alert color="red" variant="light" title={<Words>{withReadableTimes(message)}</Words>} role="alert">
      <Stack gap="xs">
        {remedy ? (
          <Text size="sm">
            <Words>{remedy}</Words>
          </Text>
        ) : null}
        {error instanceof SignedOut ? (
          <Anchor href="/sign-in" target="_blank" size="sm">
            Sign in in another tab
          </Anchor>
        ) : null}
        {requestId ? (
          <Text size="sm" c="dimmed">
            {code} · request <Code>{requestId}</Code>
          </Text>
        ) : null}
        {onRetry ? (
          <Group>
            <Button size="xs" variant="default" onClick={onRetry}>
              Try again
            </Button>
          </Group>
        ) : null}
      </Stack>
    </Alert>
  );
}

/** Says that the list is empty or that nothing matches, and what to do about it. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <Stack align="center" gap={6} py="xl" px="md" ta="center">
      <Text fw={600}>{title}</Text>
      {children ? (
        <Text c="dimmed" size="sm" maw="30rem" component="div">
          {children}
        </Text>
      ) : null}
    </Stack>
  );
}

/** Shows the error of a whole form or of a button's action; nothing for null. */
export function Fault({ of }: { of: unknown }) {
  return of === null ? null : <Failure error={of} />;
}
