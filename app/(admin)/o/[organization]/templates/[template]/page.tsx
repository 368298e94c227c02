import type { Metadata } from "next";
import { requireExisting } from "../../shared/require-existing";

export const metadata: Metadata = { title: "Template" };

interface Params {
  readonly organization: string;
  readonly template: string;
}

/** The layout shows the template that the URL names. */
export default async function TemplatePage({ params }: { params: Promise<Params> }) {
  const { organization, template } = await params;
  await requireExisting(organization, ({ templates }) => templates.get({ templateId: template }));
  return null;
}
