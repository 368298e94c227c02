"use client";

import { Button } from "@mantine/core";
import { IconDownload } from "./icons";

/** Exports the whole filtered list as a CSV file. */
export function ExportButton({
  list,
  organizationId,
  filter,
}: {
  list: "messages" | "requests" | "audit" | "usage";
  organizationId: string;
  filter: Readonly<Record<string, string | number | undefined>>;
}) {
  const given = Object.entries(filter).flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : [[name, String(value)]],
  );
  const query = new URLSearchParams([["organization", organizationId], ...given]);
  return (
    <Button
      component="a"
      href={`/api/export/${list}.csv?${query.toString()}`}
      download
      variant="default"
      leftSection={<IconDownload size={16} aria-hidden />}
    >
      Export as CSV
    </Button>
  );
}
