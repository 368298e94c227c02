import type { Metadata } from "next";
import { OnlyFor } from "../shared/only-for";
import { Webhooks } from "./webhooks";

export const metadata: Metadata = { title: "Webhooks" };

export default function WebhooksPage() {
  return (
    <OnlyFor capability="webhooks.manage" title="Webhooks">
      <Webhooks />
    </OnlyFor>
  );
}
