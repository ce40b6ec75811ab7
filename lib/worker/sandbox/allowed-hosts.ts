import { isIP } from "node:net";
import { isPublicAddress } from "@/lib/core/outgoing/address-ranges";

/** Where a request goes; `host` in lower case, an address without brackets. */
export type Destination = { host: string; port: number };

const WEB_PORTS = [80, 443];

/**
 * Whether a decision's list of hosts names this destination: `example.org`, `*.example.org` (what is below it, not it),
 * an IPv4 address, each with the ports 80 and 443, or with the one that is written behind it.
 */
export function namesDestination(hosts: string[], { host, port }: Destination): boolean {
  return hosts.some((entry) => {
    const [name = "", ownPort] = entry.toLowerCase().split(":");
    const isPort = ownPort === undefined ? WEB_PORTS.includes(port) : Number(ownPort) === port;
    const isHost = name.startsWith("*.") ? isIP(host) === 0 && host.endsWith(name.slice(1)) : host === name;
    return isPort && isHost;
  });
}

/** Addresses that are not public, by `isPublicAddress`; also what is no address. */
export function isPrivateAddress(address: string): boolean {
  return !isPublicAddress(address);
}

/** `host:port` as CONNECT has it; null when it is not that. */
export function parseAuthority(text: string): Destination | null {
  const found = /^(?:\[([0-9a-f:.]+)\]|([^:/@\s]+)):(\d{1,5})$/i.exec(text);
  const port = Number(found?.[3]);
  const host = (found?.[1] ?? found?.[2])?.toLowerCase().replace(/\.$/, "");
  return host && port > 0 && port < 65_536 ? { host, port } : null;
}
