import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { localAddresses } from "@/lib/core/outgoing/outgoing-policy";

/** How a run could meet the worker's own server. */
export type ServerAddress = {
  port: number;
  /** Whether it answers on this host; an address that cannot be found counts as one that does. */
  isLocal(): Promise<boolean>;
  /** Whether a connection to this address and port would be one to it on this host. */
  isAt(address: string, port: number): boolean;
};

/** The server at the address that the worker talks to. */
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

/** The addresses of a host; none when it cannot be found. */
export async function resolveAll(host: string): Promise<string[]> {
  const found = await lookup(host, { all: true }).catch(() => []);
  return found.map(({ address }) => address);
}

/** Loopback, what the system takes for it (`0.0.0.0`, `::`), and the addresses of this host's interfaces. */
function isOfThisHost(address: string): boolean {
  const plain = plainAddress(address);
  if (/^(127|0)\./.test(plain) || plain === "::" || plain === "::1") return true;
  return localAddresses().some((one) => plainAddress(one) === plain);
}

/** One spelling for each address: IPv4 for what is mapped into IPv6, and IPv6 as short as it gets. */
function plainAddress(address: string): string {
  const bare = address.replace(/%.*$/, "");
  if (isIP(bare) !== 6) return bare;
  const short = new URL(`http://[${bare}]`).hostname.slice(1, -1);
  const mapped = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(short);
  if (mapped === null) return short;
  const bytes = [mapped[1], mapped[2]].map((part) => Number.parseInt(part ?? "", 16));
  return bytes.flatMap((part) => [part >> 8, part & 255]).join(".");
}
