"use client";

import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import { Page } from "@/app/ui/admin-page";
import type { Capability } from "@/server/core/capabilities";
import { useMay } from "./viewer";

/** A page for viewers who may see it. Others may find its URL in a link or in their history; they see one sentence. */
export function OnlyFor({
  capability,
  title,
  children,
}: {
  capability: Capability;
  title: string;
  children: ReactNode;
}) {
  if (useMay()(capability)) return children;
  return (
    <Page title={title}>
      <Text>
        You don’t have access to this page. An owner or admin of the organization can give you access.
      </Text>
    </Page>
  );
}
