"use client";

import { Button, Menu, Stack, Text } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { IconCheck, IconCopy, IconSelector } from "@/app/ui/icons";
import { QueryState } from "@/app/ui/query-state";
import { requestSamples, SAMPLE_LANGUAGES, type SampleRequest } from "@/app/ui/request-samples";
import { Words } from "@/app/ui/words";
import { copyOf, whatToFillIn } from "./copied-request";
import type { RefusedRequest } from "./refused-request";

/**
 * A menu that copies a refused request as a command or program to send it again. Renders nothing for a request to no
 * operation, such as to an unknown path.
 */
export function CopyAs({ request }: { request: RefusedRequest }) {
  const requests = useQuery({
    queryKey: ["requests to fill in"],
    queryFn: loadRequests,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <QueryState query={requests} rows={1}>
      {(data) => {
        const copy = copyOf(request, data);
        return copy === null ? null : <CopyMenu request={request} copy={copy} />;
      }}
    </QueryState>
  );
}

function CopyMenu({ request, copy }: { request: RefusedRequest; copy: SampleRequest }) {
  const clipboard = useClipboard();
  const [title, setTitle] = useState("");
  const texts = requestSamples(copy);
  return (
    <Stack gap="xs" align="flex-start">
      {/* A part of the dialog, which is all that assistive technology sees while it is open. */}
      <Menu position="right-start" withinPortal={false} withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <Button
            variant={clipboard.copied ? "light" : "default"}
            rightSection={<IconSelector size={14} aria-hidden />}
            leftSection={
              clipboard.copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />
            }
          >
            {clipboard.copied ? `Copied as ${title}` : "Copy as"}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {SAMPLE_LANGUAGES.map((one) => (
            <Menu.Item
              key={one.language}
              onClick={() => {
                setTitle(one.title);
                clipboard.copy(texts[one.language]);
              }}
            >
              {one.title}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {clipboard.error ? (
        <Text c="var(--mantine-color-error)" size="sm" role="alert">
          The browser didn’t allow copying. Browsers allow it over HTTPS only.
        </Text>
      ) : null}
      <Text c="dimmed" size="sm">
        <Words>{whatToFillIn(request, copy).join(" ")}</Words>
      </Text>
    </Stack>
  );
}

const LOAD_TIMEOUT_MS = 10_000;

async function loadRequests(): Promise<readonly SampleRequest[]> {
  const response = await fetch("/docs/api/requests.json", { signal: AbortSignal.timeout(LOAD_TIMEOUT_MS) });
  if (!response.ok) throw new Error(`The sample requests answered ${response.status}`);
  return response.json();
}
