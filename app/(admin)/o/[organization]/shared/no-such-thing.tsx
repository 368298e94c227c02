"use client";

import { Page } from "@/app/ui/admin-page";
import { InlineLink } from "./inline-link";

/** The page for an item that doesn’t exist, with a link to the list. */
export function NoSuchThing({ noun, list, path }: { noun: string; list: string; path: string }) {
  return (
    <Page
      title={`This ${noun} doesn’t exist`}
      lead={
        <>
          Check the URL, or see <InlineLink to={path}>{list}</InlineLink>.
        </>
      }
    >
      {null}
    </Page>
  );
}
