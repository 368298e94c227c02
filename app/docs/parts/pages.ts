import type { Metadata } from "next";

export interface DocumentationPage {
  readonly path: string;
  readonly title: string;
  /** One line for the overview. */
  readonly summary: string;
}

/** Every page below /docs, in reading order, under the heading it has in the navigation. */
export const SECTIONS = [
  {
    title: "Basics",
    pages: [
      {
        path: "/docs/first-message",
        title: "Your first message",
        summary: "Go from a fresh checkout to a message that has been read, in five minutes.",
      },
      {
        path: "/docs/messages",
        title: "Texts, media and templates",
        summary: "What each message type requires, and when WhatsApp accepts it.",
      },
      {
        path: "/docs/uploads",
        title: "Uploads",
        summary: "Upload a file once, and send it as often as you like.",
      },
      {
        path: "/docs/idempotency",
        title: "Idempotency",
        summary: "Repeat any request without sending anything twice.",
      },
      {
        path: "/docs/states",
        title: "Delivery states and resending",
        summary: "Check the delivery status of a message, and whether it is safe to send it again.",
      },
    ],
  },
  {
    title: "Webhooks",
    pages: [
      {
        path: "/docs/webhooks",
        title: "Webhooks",
        summary: "Receive status changes of messages, and messages from customers, in your application.",
      },
      {
        path: "/docs/webhooks/verifying",
        title: "Verifying webhooks",
        summary: "Check that a webhook comes from Waypost: in TypeScript, Python and a shell.",
      },
    ],
  },
  {
    title: "Guides",
    pages: [
      {
        path: "/docs/guides/order-notifications",
        title: "Order notifications",
        summary: "Notify customers about their orders, inside and outside the customer service window.",
      },
      {
        path: "/docs/guides/customer-messages",
        title: "Customers’ messages and answers",
        summary: "Receive what customers write, once each, and answer them.",
      },
      {
        path: "/docs/guides/files",
        title: "Files in both directions",
        summary: "Send files from storage or by URL, and see which files customers send.",
      },
      {
        path: "/docs/guides/reconciliation",
        title: "Paging and reconciliation",
        summary: "Read lists to their end, and catch up after an outage without a gap.",
      },
      {
        path: "/docs/guides/worker-fleet",
        title: "Rate limits in a fleet of workers",
        summary: "Send from many workers with one key, without losing or doubling a message.",
      },
      {
        path: "/docs/guides/testing",
        title: "Testing",
        summary: "Test your integration on your machine and in CI: failures, faults and a clock that moves.",
      },
      {
        path: "/docs/going-live",
        title: "Going live",
        summary: "From the demo to real phones: what Meta requires, in order.",
      },
    ],
  },
  {
    title: "Admin app",
    pages: [
      {
        path: "/docs/admin",
        title: "The admin app",
        summary: "Find out why a customer got no message, and manage keys, numbers and members.",
      },
    ],
  },
  {
    title: "Reference",
    pages: [
      {
        path: "/docs/client",
        title: "TypeScript client",
        summary: "Typed requests, errors and events, with retries, paging and uploads.",
      },
      { path: "/docs/api", title: "API reference", summary: "All routes, fields, status codes and headers." },
      {
        path: "/docs/errors",
        title: "Errors",
        summary: "All error codes: what they mean, whether to send again, and what to do.",
      },
      {
        path: "/docs/limits",
        title: "Limits",
        summary: "Rate limits, headers, sizes and the customer service window.",
      },
      {
        path: "/docs/promises",
        title: "Promises",
        summary: "What you can rely on, what it doesn’t cover, and the tests that hold it.",
      },
      {
        path: "/docs/versioning",
        title: "Versioning and deprecation",
        summary: "What can change within v1, what never does, and how a version ends.",
      },
      { path: "/docs/changelog", title: "Changelog", summary: "What is new for integrators." },
    ],
  },
  {
    title: "Running Waypost",
    pages: [
      {
        path: "/docs/simulator",
        title: "WhatsApp simulator",
        summary: "Test with numbers that fail, stall or send wrong responses on request.",
      },
      {
        path: "/docs/operating",
        title: "Operations",
        summary: "Start, configure and back up Waypost, and scale it beyond one machine.",
      },
      {
        path: "/docs/metrics",
        title: "Metrics and alerts",
        summary: "What to scrape, when to alert, and how to respond.",
      },
    ],
  },
] as const satisfies readonly { title: string; pages: readonly DocumentationPage[] }[];

/** Path of a page, or of the overview. */
export type PagePath = "/docs" | (typeof SECTIONS)[number]["pages"][number]["path"];

/** Every path, in reading order. */
export const PATHS: readonly PagePath[] = [
  "/docs",
  ...SECTIONS.flatMap(({ pages }) => pages.map(({ path }) => path)),
];

export const PAGES: readonly DocumentationPage[] = SECTIONS.flatMap(({ pages }) => [...pages]);

/** True for the overview, and for every page that it lists. */
export const isPage = (path: string) => path === "/docs" || PAGES.some((page) => page.path === path);

/** Returns the title of a page or of the overview. */
export const pageTitle = (path: string) => (path === "/docs" ? "Documentation" : pageAt(path).title);

/**
 * Returns the page with this path. @throws Error for a path that isn't listed here: such a page would be in no
 * navigation.
 */
export function pageAt(path: string): DocumentationPage {
  const page = PAGES.find((candidate) => candidate.path === path);
  if (!page) throw new Error(`${path} isn't a page of the documentation`);
  return page;
}

/** Returns the title of a page's document, its description, and a link to its markdown. */
export function metadataOf(path: string): Metadata {
  const { title, summary } = pageAt(path);
  return { title, description: summary, alternates: { types: { "text/markdown": markdownPath(path) } } };
}

/** Returns the path of a page's markdown. */
export const markdownPath = (path: string) => `${path}.md`;
