"use client";

import { usePathname } from "next/navigation";
import { PageLink } from "@/app/ui/page-link";
import { usePath, useViewer } from "../shared/viewer";
import styles from "./webhook-tabs.module.css";

const TABS = [
  { page: "/webhooks", label: "Endpoints" },
  { page: "/webhooks/inbox", label: "Inbox" },
] as const;

/** Links between the endpoints and the inbox, which only a demo has. */
export function WebhookTabs() {
  const { isDemo } = useViewer().organization;
  const path = usePath();
  const isInbox = usePathname().startsWith(path("/webhooks/inbox"));
  if (!isDemo) return null;
  return (
    <nav aria-label="Webhooks" className={styles.tabs}>
      {TABS.map(({ page, label }) => (
        <PageLink
          key={page}
          href={path(page)}
          aria-current={isInbox === (page === "/webhooks/inbox") ? "page" : undefined}
        >
          {label}
        </PageLink>
      ))}
    </nav>
  );
}
