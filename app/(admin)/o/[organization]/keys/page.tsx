import type { Metadata } from "next";
import { OnlyFor } from "../shared/only-for";
import { Keys } from "./keys";

export const metadata: Metadata = { title: "API keys" };

export default function KeysPage() {
  return (
    <OnlyFor capability="integrations.manage_api" title="API keys">
      <Keys />
    </OnlyFor>
  );
}
