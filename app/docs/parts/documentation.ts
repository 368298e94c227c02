import { headers } from "next/headers";
import type { Documentation } from "@/server/boot/documentation";
import { getRuntime } from "@/app/runtime";

/** Returns the facts that pages are generated from. */
export async function documentation(): Promise<Documentation> {
  return (await getRuntime()).documentation;
}

/** Returns the address of this service: the configured one, else the one of this request. */
export async function serviceAddress(): Promise<string> {
  const { publicUrl } = await documentation();
  if (publicUrl !== null) return publicUrl;
  const host = (await headers()).get("host") ?? "";
  // A forged header would appear in lines that people paste into a shell.
  return /^[a-z0-9.:[\]-]+$/i.test(host) ? `http://${host}` : "http://127.0.0.1:3000";
}
