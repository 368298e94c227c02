import { headers } from "next/headers";
import { getRuntime } from "@/app/runtime";

/** The address that examples show: the configured one, else the one that this page was asked under. */
export async function baseUrl(): Promise<string> {
  const { publicUrl } = (await getRuntime()).documentation;
  if (publicUrl !== null) return publicUrl;
  const host = (await headers()).get("host") ?? "";
  // An odd header would be shown in lines that people paste into a shell.
  return /^[a-z0-9.:[\]-]+$/i.test(host) ? `http://${host}` : "http://127.0.0.1:3000";
}
