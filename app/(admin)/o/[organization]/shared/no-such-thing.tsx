"use client";

import { Anchor } from "@mantine/core";
import { Page } from "@/app/ui/admin-page";
import { PageLink } from "@/app/ui/page-link";
import { usePath } from "./viewer";

/** The page for an item that doesn’t exist, with a link to the list. */
export function NoSuchThing({ noun, list, path: below }: { noun: string; list: string; path: string }) {
  const path = usePath();
  return (
    <Page
      title={`This ${noun} doesn’t exist`}
      lead={
        <>
          Check the URL, or see{" "}
          <Anchor inherit underline="always" component={PageLink} href={path(below)}>
            {list}
          </Anchor>
          .
        </>
      }
    >
      {null}
    </Page>
  );
}
