import { isPublicAddress } from "@/server/adapters/outbound/address";

const UNSET =
  "it is an address of this machine, because WAYPOST_PUBLIC_URL isn't set. Use the public https URL of Waypost in front of its path instead.";
const OWN =
  "it is an address of this machine or its network. Set WAYPOST_PUBLIC_URL to the public https URL of Waypost.";
const PLAIN = "Meta only calls https URLs. Set WAYPOST_PUBLIC_URL to the public https URL of Waypost.";

/**
 * Says why Meta can't call URLs below this one, in a sentence for the operator; null if no reason is known. Names
 * aren't resolved, because they may resolve differently for Meta.
 */
export function unreachableForMeta(publicUrl: string | null): string | null {
  const reason = reasonOf(publicUrl);
  return reason === null ? null : `Meta can't reach this URL: ${reason}`;
}

function reasonOf(publicUrl: string | null): string | null {
  if (publicUrl === null) return UNSET;
  const { protocol, hostname } = new URL(publicUrl);
  const host = hostname.replace(/^\[|\]$/g, "");
  const isNumeric = /^[\d.]+$/.test(host) || host.includes(":");
  if (isNumeric ? !isPublicAddress(host) : /^(.+\.)?localhost\.?$/.test(host)) return OWN;
  return protocol === "https:" ? null : PLAIN;
}
