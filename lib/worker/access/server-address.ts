import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { localAddresses } from "@/lib/core/outgoing/outgoing-policy";

export type ServerAddress = {
  port: number;
  /** Whether it runs on this host; an address that cannot be resolved counts as local. */
  isLocal(): Promise<boolean>;
  /** Whether this address and port are the server's on this host. */
  isAt(address: string, port: number): boolean;
};

export function serverAddress(url: string, resolve = resolveAll): ServerAddress {
  const { hostname, port, protocol } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, "");
  const number = port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);
  return {
    port: number,
    async isLocal() {
      const addresses = isIP(host) ? [host] : await resolve(host);
      return addresses.length === 0 || addresses.some(isOfThisHost);
    },
    isAt: (address, at) => at === number && isOfThisHost(address),
  };
}

export async function resolveAll(host: string): Promise<string[]> {
  const found = await lookup(host, { all: true }).catch(() => []);
  return found.map(({ address }) => address);
}

/** Loopback, addresses that the system treats as loopback (`0.0.0.0`, `::`), and those of this host's interfaces. */
function isOfThisHost(address: string): boolean {
  const plain = plainAddress(address);
  if (/^(127|0)\./.test(plain) || plain === "::" || plain === "::1") return true;
  return localAddresses().some((one) => plainAddress(one) === plain);
}

/** One spelling per address: IPv4 for IPv4-mapped IPv6, and the shortest form of IPv6. */
function plainAddress(address: string): string {
  const bare = address.replace(/%.*$/, "");
  if (isIP(bare) !== 6) return bare;
  const short = new URL(`http://[${bare}]`).hostname.slice(1, -1);
  const mapped = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(short);
  if (mapped === null) return short;
  const bytes = [mapped[1], mapped[2]].map((part) => Number.parseInt(part ?? "", 16));
  return bytes.flatMap((part) => [part >> 8, part & 255]).join(".");
}
