export interface DocumentationPage {
  readonly path: string;
  readonly title: string;
  /** One line for the overview. */
  readonly summary: string;
}

/** Every page below /docs, in reading order, under the heading it has in the navigation. */
export const SECTIONS = [
  {
    title: "Guides",
    pages: [
      {
        path: "/docs/first-message",
        title: "Your first message",
        summary: "From a fresh checkout to a message that was read, in five minutes.",
      },
      {
        path: "/docs/messages",
        title: "Texts, media and templates",
        summary: "What each type of message needs, and when WhatsApp takes it.",
      },
      {
        path: "/docs/uploads",
        title: "Uploads",
        summary: "Hand in a file once, and send it as often as you like.",
      },
      {
        path: "/docs/idempotency",
        title: "Idempotency",
        summary: "Repeat any request without sending anything twice.",
      },
      {
        path: "/docs/states",
        title: "States and the resend verdict",
        summary: "How far a message came, and whether sending it again is safe.",
      },
    ],
  },
  {
    title: "Webhooks",
    pages: [
      {
        path: "/docs/webhooks",
        title: "Webhooks",
        summary: "Have every change of a message, and what customers write, posted to your program.",
      },
      {
        path: "/docs/webhooks/verifying",
        title: "Verifying webhooks",
        summary: "Know that a webhook is from Waypost: in TypeScript, Python and a shell.",
      },
    ],
  },
  {
    title: "In the browser",
    pages: [
      {
        path: "/docs/admin",
        title: "The admin app",
        summary: "Find out why a customer got no message, manage keys, numbers and members.",
      },
    ],
  },
  {
    title: "Reference",
    pages: [
      { path: "/docs/api", title: "API reference", summary: "Every route, field, status and header." },
      {
        path: "/docs/errors",
        title: "Errors",
        summary: "Every code: what it means, whether to send again, what to do.",
      },
      { path: "/docs/limits", title: "Limits", summary: "Rates, headers, sizes and the customer window." },
    ],
  },
  {
    title: "Running it",
    pages: [
      {
        path: "/docs/simulator",
        title: "Simulated WhatsApp",
        summary: "Numbers that fail, stall and lie on request, to test against.",
      },
      {
        path: "/docs/operating",
        title: "Operating",
        summary: "Starting, configuring, backing up, growing beyond one machine.",
      },
      {
        path: "/docs/metrics",
        title: "Metrics and alerts",
        summary: "What to scrape, what to be woken for, and what to do then.",
      },
    ],
  },
] as const satisfies readonly { title: string; pages: readonly DocumentationPage[] }[];

export const PAGES: readonly DocumentationPage[] = SECTIONS.flatMap(({ pages }) => [...pages]);

/** @throws Error for a path that isn't listed here: such a page would be in no navigation. */
export function pageAt(path: string): DocumentationPage {
  const page = PAGES.find((candidate) => candidate.path === path);
  if (!page) throw new Error(`${path} isn't a page of the documentation`);
  return page;
}
