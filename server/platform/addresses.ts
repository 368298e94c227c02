import { BlockList, isIP } from "node:net";

/** Whole numbers only: nothing at all would count as 0, and trust everybody. */
const RANGE = /^(?<address>[^/]+)(?:\/(?<bits>\d{1,3}))?$/;

/** An address, or a range of them such as `10.0.0.0/8`, as it is; null for anything else. */
export function proxyRange(text: string): string | null {
  try {
    addRange(new BlockList(), text);
    return text;
  } catch {
    return null;
  }
}

/** @throws Error for what is no range. */
export function addRange(list: BlockList, text: string): void {
  const { address = "", bits } = RANGE.exec(text)?.groups ?? {};
  const family = isIP(address) === 6 ? "ipv6" : "ipv4";
  if (bits === undefined) list.addAddress(address, family);
  else list.addSubnet(address, Number(bits), family);
}

/** An operator's `host:port` in the one form that URLs have; null when it isn't one. */
export function allowedHost(text: string): string | null {
  const isHostAndPort = /^[^/?#@\s\\]+:[0-9]+$/.test(text) && URL.canParse(`http://${text}`);
  return isHostAndPort ? hostAndPort(new URL(`http://${text}`)) : null;
}

export function hostAndPort(url: URL): string {
  return `${url.hostname}:${url.port || (url.protocol === "https:" ? "443" : "80")}`;
}
