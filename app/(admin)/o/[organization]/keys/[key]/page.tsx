import type { Metadata } from "next";
import { OnlyFor } from "../../shared/only-for";
import { requireExisting } from "../../shared/require-existing";
import { KeyPage } from "./key";

export const metadata: Metadata = { title: "API key" };

interface Params {
  readonly organization: string;
  readonly key: string;
}

export default async function OneKeyPage({ params }: { params: Promise<Params> }) {
  const { organization, key } = await params;
  await requireExisting(organization, ({ keys }) => keys.get({ keyId: key }));
  return (
    <OnlyFor capability="integrations.manage_api" title="API key">
      <KeyPage keyId={key} />
    </OnlyFor>
  );
}
