import { BlockList, isIP } from "node:net";

/** Base path of the public API. */
export const BASE_PATH = "/api/public/v1";

/** Whole numbers only: an empty prefix length would count as 0, and trust every address. */
const RANGE = /^(?<address>[^/]+)(?:\/(?<bits>\d{1,3}))?$/;

/** Returns an address or a range, such as `10.0.0.0/8`, unchanged. Null for anything else. */
export function proxyRange(text: string): string | null {
  try {
    addRange(new BlockList(), text);
    return text;
  } catch {
    return null;
  }
}

/** @throws Error if the text isn't a range. */
export function addRange(list: BlockList, text: string): void {
  const { address = "", bits } = RANGE.exec(text)?.groups ?? {};
  const family = isIP(address) === 6 ? "ipv6" : "ipv4";
  if (bits === undefined) list.addAddress(address, family);
  else list.addSubnet(address, Number(bits), family);
}

/** Normalizes an operator's `host:port` to the form that URLs use. Null if invalid. */
export function allowedHost(text: string): string | null {
  const isHostAndPort = /^[^/?#@\s\\]+:[0-9]+$/.test(text) && URL.canParse(`http://${text}`);
  return isHostAndPort ? hostAndPort(new URL(`http://${text}`)) : null;
}

export function hostAndPort(url: URL): string {
  return `${url.hostname}:${url.port || (url.protocol === "https:" ? "443" : "80")}`;
}
