import { BlockList, isIP } from "node:net";

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

const PRIVATE = new BlockList();
for (const [network, bits] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["224.0.0.0", 3],
] as const) {
  PRIVATE.addSubnet(network, bits, "ipv4");
}
for (const [network, bits] of [
  ["::", 96],
  ["64:ff9b::", 96],
  ["64:ff9b:1::", 48],
  ["2002::", 16],
  ["fc00::", 7],
  ["fe80::", 10],
  ["fec0::", 10],
  ["ff00::", 8],
] as const) {
  PRIVATE.addSubnet(network, bits, "ipv6");
}

/** Addresses of this host, of networks that are not the internet, and those that stand for such in IPv6. */
export function isPrivateAddress(address: string): boolean {
  const family = isIP(address);
  return family === 0 || PRIVATE.check(address, family === 6 ? "ipv6" : "ipv4");
}

/** `host:port` as CONNECT has it; null when it is not that. */
export function parseAuthority(text: string): Destination | null {
  const found = /^(?:\[([0-9a-f:.]+)\]|([^:/@\s]+)):(\d{1,5})$/i.exec(text);
  const port = Number(found?.[3]);
  const host = (found?.[1] ?? found?.[2])?.toLowerCase().replace(/\.$/, "");
  return host && port > 0 && port < 65_536 ? { host, port } : null;
}
