import type { Metadata } from "next";
import { OnlyFor } from "../shared/only-for";
import { Members } from "./members";

export const metadata: Metadata = { title: "Members" };

export default function MembersPage() {
  return (
    <OnlyFor capability="members.manage" title="Members">
      <Members />
    </OnlyFor>
  );
}
