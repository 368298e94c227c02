"use client";

import { Page } from "@/app/ui/page";
import { InlineLink } from "../../shell/inline-link";

export default function NoSuchContact() {
  return (
    <Page
      title="There is no such contact"
      lead={
        <>
          Check the address, or look for them among <InlineLink to="/contacts">all contacts</InlineLink>.
        </>
      }
    >
      {null}
    </Page>
  );
}
