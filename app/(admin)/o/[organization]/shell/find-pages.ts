import { IconBook, IconInbox, IconShieldLock } from "@/app/ui/icons";
import type { MayOpen } from "../shared/viewer";
import { PAGE_GROUPS, type PageEntry } from "./pages";

/** A page that a search can find. */
export interface FoundPage {
  readonly path: string;
  /** True if the path is relative to the organization’s path. */
  readonly isOfOrganization: boolean;
  readonly label: string;
  readonly Icon: typeof IconBook;
}

interface Entry extends FoundPage, Pick<PageEntry, "keywords" | "isOfDemo"> {
  /** Null if everybody may open the page. */
  readonly capability: PageEntry["capability"] | null;
}

/** The pages of the navigation, the webhook inbox, and the pages of the account’s menu. */
const ENTRIES: readonly Entry[] = [
  ...PAGE_GROUPS.flatMap(({ pages }) => pages.map((page) => ({ ...page, isOfOrganization: true }))),
  {
    path: "/webhooks/inbox",
    isOfOrganization: true,
    label: "Webhook inbox",
    Icon: IconInbox,
    keywords: "demo received events signature headers verify",
    capability: "webhooks.manage",
    isOfDemo: true,
  },
  {
    path: "/account",
    isOfOrganization: true,
    label: "Account and security",
    Icon: IconShieldLock,
    keywords: "password two-factor sessions sign-in profile name",
    capability: null,
  },
  {
    path: "/docs",
    isOfOrganization: false,
    label: "Documentation",
    Icon: IconBook,
    keywords: "help guide reference api errors",
    capability: null,
  },
];

const wordsIn = (text: string) => text.toLowerCase().split(/\s+/).filter(Boolean);

/** Returns pages for which each typed word begins a word of the name or of the keywords. Best matches first. */
export function findPages(typed: string, mayOpen: MayOpen): readonly FoundPage[] {
  const words = wordsIn(typed);
  const begins = (text: string) =>
    words.every((word) => wordsIn(text).some((known) => known.startsWith(word)));
  const allowed = ENTRIES.filter(({ capability, isOfDemo }) => mayOpen({ capability, isOfDemo }));
  const byName = allowed.filter(({ label }) => begins(label));
  const byMeaning = allowed.filter(
    (page) => !byName.includes(page) && begins(`${page.label} ${page.keywords}`),
  );
  return [...byName, ...byMeaning];
}
