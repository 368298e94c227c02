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
 * What was asked for, once it is there; until then its outline, and where it failed, why and what to do. What is there stays
 * while it can't be asked for anew, and says how old it is.
 */
export function QueryState<T>({
  query,
  rows = 6,
  children,
}: {
  query: Asked<T>;
  /** Lines of the outline. */
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

/** A refusal in words, with what to do, and the id by which the log knows the request. */
export function Failure({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { message, remedy, requestId, code } = toApiError(error);
  return (
    <Alert color="red" variant="light" title={<Words>{message}</Words>} role="alert">
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

/** Nothing is there, or nothing fits: which of the two, and what to do about it. */
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
