import { redirect } from "next/navigation";

export default async function OrganizationPage({ params }: { params: Promise<{ organization: string }> }) {
  const { organization } = await params;
  redirect(`/o/${encodeURIComponent(organization)}/messages`);
}
