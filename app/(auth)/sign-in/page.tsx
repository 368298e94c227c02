import type { Metadata } from "next";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { getRuntime } from "@/app/runtime";
import { currentAccount } from "@/app/signed-in";
import { localPath } from "@/app/ui/local-path";
import { SignIn } from "./sign-in";

export const metadata: Metadata = { title: "Sign in" };

export default async function SignInPage({ searchParams }: { searchParams: Promise<{ next?: string }> }) {
  const next = localPath((await searchParams).next);
  const runtime = await getRuntime();
  const caller = await runtime.pageCaller(await headers(), null);
  if (await currentAccount(caller)) redirect(next);
  return <SignIn next={next} />;
}
