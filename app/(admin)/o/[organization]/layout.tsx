import { ColorSchemeScript } from "@mantine/core";
import type { Metadata } from "next";
import { headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import type { ReactNode } from "react";
import { getRuntime } from "@/app/runtime";
import { currentAccount } from "@/app/signed-in";
import { Interface } from "@/app/ui/interface";
import { pageNonce } from "@/app/ui/nonce";
import { Data } from "@/app/ui/trpc";
import "@/app/ui/mantine.css";
import { ViewerProvider } from "./shared/viewer";
import { Shell } from "./shell/shell";

export const metadata: Metadata = { robots: { index: false } };

export default async function OrganizationLayout({
  children,
  params,
}: {
  children: ReactNode;
  params: Promise<{ organization: string }>;
}) {
  const { organization: organizationId } = await params;
  const runtime = await getRuntime();
  const caller = await runtime.pageCaller(await headers(), organizationId);
  const me = await currentAccount(caller);
  if (me === null) {
    const asked = (await pageAddress()) ?? `/o/${organizationId}`;
    redirect(`/sign-in?next=${encodeURIComponent(asked)}`);
  }
  if (!me.organizations.some(({ id }) => id === organizationId)) notFound();
  const organization = await caller.organization.current();
  const nonce = await pageNonce();
  return (
    <>
      <ColorSchemeScript nonce={nonce} defaultColorScheme="auto" />
      <Interface nonce={nonce}>
        <Data key={organizationId} organizationId={organizationId} clockAheadMs={organization.clockAheadMs}>
          <ViewerProvider viewer={{ me, organization }}>
            <Shell>{children}</Shell>
          </ViewerProvider>
        </Data>
      </Interface>
    </>
  );
}

/** The query parameter that Next adds to the URL of a page that it fetches itself. */
const ADDED_BY_NEXT = "_rsc";

/** Returns path and query of the requested page, which server/edge/http passes on; null if another server runs Next. */
async function pageAddress(): Promise<string | null> {
  const address = (await headers()).get("x-page-address");
  if (address === null) return null;
  const { pathname, searchParams } = new URL(address, "http://localhost");
  searchParams.delete(ADDED_BY_NEXT);
  const search = searchParams.toString();
  return search === "" ? pathname : `${pathname}?${search}`;
}
