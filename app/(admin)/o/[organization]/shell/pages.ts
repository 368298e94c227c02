import {
  IconAddressBook,
  IconChartBar,
  IconDeviceMobile,
  IconHistory,
  IconKey,
  IconList,
  IconMessage,
  IconMessages,
  IconPhone,
  IconSettings,
  IconTemplate,
  IconUsers,
  IconWebhook,
} from "@/app/ui/icons";
import type { Capability } from "@/server/core/capabilities";

export interface PageEntry {
  /** The path below the organization's own path. */
  readonly path: string;
  readonly label: string;
  readonly Icon: typeof IconKey;
  /** The capability that the page needs. */
  readonly capability: Capability;
  /** Words that people search for when they mean this page. */
  readonly keywords: string;
  /** True for pages that only demo organizations have. */
  readonly isOfDemo?: true;
}

interface PageGroup {
  readonly label: string;
  readonly pages: readonly PageEntry[];
}

/** Every page of the navigation, by group. */
export const PAGE_GROUPS: readonly PageGroup[] = [
  {
    label: "Traffic",
    pages: [
      {
        path: "/messages",
        label: "Messages",
        Icon: IconMessage,
        capability: "messages.read",
        keywords: "search delivery state failed resend export",
      },
      {
        path: "/conversations",
        label: "Conversations",
        Icon: IconMessages,
        capability: "messages.read",
        keywords: "chats inbox answer reply assign close notes window support",
      },
      {
        path: "/requests",
        label: "API log",
        Icon: IconList,
        capability: "requests.read",
        keywords: "requests refused succeeded routes errors 422 400 401 429",
      },
      {
        path: "/usage",
        label: "Usage",
        Icon: IconChartBar,
        capability: "usage.read",
        keywords: "charts latency volume statistics",
      },
    ],
  },
  {
    label: "Customers",
    pages: [
      {
        path: "/contacts",
        label: "Contacts",
        Icon: IconAddressBook,
        capability: "contacts.read",
        keywords: "customers numbers window conversations erase gdpr",
      },
      {
        path: "/templates",
        label: "Templates",
        Icon: IconTemplate,
        capability: "templates.read",
        keywords: "approved pending rejected variables",
      },
      {
        path: "/phone",
        label: "Customer’s phone",
        Icon: IconDeviceMobile,
        capability: "messages.read",
        keywords: "demo simulator answer customer bubbles reply",
        isOfDemo: true,
      },
    ],
  },
  {
    label: "Setup",
    pages: [
      {
        path: "/channels",
        label: "Channels",
        Icon: IconPhone,
        capability: "channels.read",
        keywords: "whatsapp numbers connect callback webhook paused",
      },
      {
        path: "/keys",
        label: "API keys",
        Icon: IconKey,
        capability: "integrations.manage_api",
        keywords: "secret scopes rotate revoke leaked",
      },
      {
        path: "/webhooks",
        label: "Webhooks",
        Icon: IconWebhook,
        capability: "webhooks.manage",
        keywords: "events endpoints deliveries signature replay callbacks",
      },
      {
        path: "/members",
        label: "Members",
        Icon: IconUsers,
        capability: "members.manage",
        keywords: "invite roles people permissions",
      },
      {
        path: "/audit",
        label: "Audit log",
        Icon: IconHistory,
        capability: "audit.read",
        keywords: "who did what history changes",
      },
      {
        path: "/settings",
        label: "Settings",
        Icon: IconSettings,
        capability: "organization.read",
        keywords: "organization name retention",
      },
    ],
  },
];
