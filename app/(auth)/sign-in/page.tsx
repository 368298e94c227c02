import type { Metadata } from "next";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { getRuntime } from "@/app/runtime";
import { currentAccount } from "@/app/signed-in";
import { SignIn } from "./sign-in";

export const metadata: Metadata = { title: "Sign in" };

export default async function SignInPage({ searchParams }: { searchParams: Promise<{ next?: string }> }) {
  const next = localPath((await searchParams).next);
  const runtime = await getRuntime();
  const caller = await runtime.pageCaller(await headers(), null);
  if (await currentAccount(caller)) redirect(next);
  return <SignIn next={next} />;
}

/** Returns a path of this app to go to next. Returns the start page for any other URL. */
function localPath(text: string | undefined): string {
  return text !== undefined && /^\/(?![/\\])[^\\\s]*$/.test(text) ? text : "/";
}
