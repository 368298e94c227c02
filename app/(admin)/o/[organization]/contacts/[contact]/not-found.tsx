"use client";

import { Anchor } from "@mantine/core";
import Link from "next/link";
import { Page } from "@/app/ui/page";
import { usePath } from "../../shell/viewer";

export default function NoSuchContact() {
  const path = usePath();
  return (
    <Page
      title="There is no such contact"
      lead={
        <>
          Check the address, or look for them among{" "}
          <Anchor inherit underline="always" component={Link} href={path("/contacts")}>
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
