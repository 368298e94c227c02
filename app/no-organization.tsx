"use client";

import { Notice } from "./ui/notice";
import { signOut } from "@/app/ui/auth";

/** Shown to a signed-in user who was removed from every organization. */
export function NoOrganization({ email }: { email: string }) {
  return (
    <Notice title="You aren’t a member of any organization">
      <p>
        You are signed in as {email}. Ask an owner or admin of your organization for an invitation, or sign
        out and use another address.
      </p>
      <button type="button" onClick={() => void signOut()}>
        Sign out
      </button>
    </Notice>
  );
}
