import { isPublicAddress } from "@/server/adapters/outbound/address";

const UNSET =
  "it is this machine's own, as WAYPOST_PUBLIC_URL isn't set. Put the https address under which others reach Waypost in front of its path instead.";
const OWN =
  "it is one of this machine or its own network. Set WAYPOST_PUBLIC_URL to the https address under which others reach Waypost.";
const PLAIN =
  "it calls https only. Set WAYPOST_PUBLIC_URL to the https address under which others reach Waypost.";

/**
 * Why Meta can't call addresses below this one, in a sentence for the operator; null where nothing speaks against it.
 * Names are not resolved: they may mean something else here than for Meta.
 */
export function unreachableForMeta(publicUrl: string | null): string | null {
  const reason = reasonOf(publicUrl);
  return reason === null ? null : `Meta can't reach that address: ${reason}`;
}

function reasonOf(publicUrl: string | null): string | null {
  if (publicUrl === null) return UNSET;
  const { protocol, hostname } = new URL(publicUrl);
  const host = hostname.replace(/^\[|\]$/g, "");
  const isNumeric = /^[\d.]+$/.test(host) || host.includes(":");
  if (isNumeric ? !isPublicAddress(host) : /^(.+\.)?localhost\.?$/.test(host)) return OWN;
  return protocol === "https:" ? null : PLAIN;
}
