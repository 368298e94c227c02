"use client";

import { Anchor } from "@mantine/core";
import { Page } from "@/app/ui/page";
import { PageLink } from "@/app/ui/page-link";
import { usePath } from "../../shell/viewer";

export default function NoSuchContact() {
  const path = usePath();
  return (
    <Page
      title="There is no such contact"
      lead={
        <>
          Check the address, or look for them among{" "}
          <Anchor inherit underline="always" component={PageLink} href={path("/contacts")}>
            all contacts
          </Anchor>
          .
        </>
      }
    >
      {null}
    </Page>
  );
}
