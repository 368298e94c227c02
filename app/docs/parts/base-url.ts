import { headers } from "next/headers";
import { getRuntime } from "@/app/runtime";

/** Returns the base URL for examples: the configured one, else the one of this request. */
export async function baseUrl(): Promise<string> {
  const { publicUrl } = (await getRuntime()).documentation;
  if (publicUrl !== null) return publicUrl;
  const host = (await headers()).get("host") ?? "";
  // A forged header would appear in lines that people paste into a shell.
  return /^[a-z0-9.:[\]-]+$/i.test(host) ? `http://${host}` : "http://127.0.0.1:3000";
}
