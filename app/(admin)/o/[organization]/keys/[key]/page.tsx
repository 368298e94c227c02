import type { Metadata } from "next";
import { OnlyFor } from "../../only-for";
import { KeyPage } from "./key";

export const metadata: Metadata = { title: "API key" };

export default async function OneKeyPage({ params }: { params: Promise<{ key: string }> }) {
  const { key } = await params;
  return (
    <OnlyFor capability="integrations.manage_api" title="API key">
      <KeyPage keyId={key} />
    </OnlyFor>
  );
}
