import type { LookupAddress } from "node:dns";
import { lookup } from "node:dns/promises";
import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { networkInterfaces } from "node:os";
import { AppError } from "@/lib/core/errors";
import { type AddressRanges, isAllowedAddress, parseRanges } from "./address-ranges";

/** Where a connection goes: a name in lower case or an address without brackets, and a port. */
export type Destination = { host: string; port: number };

/** What the connections of one feature may reach. */
export type OutgoingPolicy = {
  /** Subject of a refusal's sentence, such as “The audit webhook”. */
  feature: string;
  /** What the operator opened beyond public addresses. */
  ranges: AddressRanges;
  /** Variable that opens more. */
  variable: string;
  /** Destinations from the operator's own variables: the addresses of these names are not judged. */
  endpoints: readonly Destination[];
  /** The server's own ports, which no range opens: refused at the host that is named, and at every address of this machine. */
  denied: readonly Destination[];
};

const LOOKUP_MS = 10_000;

const THIS_MACHINE = parseRanges("0.0.0.0/8,127.0.0.0/8,::,::1");

/** Destination of a URL; the default port is 443 for https, else 80 or the one that is given. Throws for what is no URL. */
export function destinationOf(url: string | URL, defaultPort?: number): Destination {
  const { protocol, host } = new URL(url);
  const implied = defaultPort ?? (protocol === "https:" ? 443 : 80);
  // Of other schemes the URL standard leaves the host as it was written. Port 80 disappears here.
  const { hostname, port } = new URL(`${protocol === "https:" ? protocol : "http:"}//${host}`);
  const isWritten = port !== "" || /:\d+$/.test(host);
  return { host: hostname.replace(/^\[|\]$/g, "").toLowerCase(), port: isWritten ? Number(port || 80) : implied };
}

/** Reads comma-separated `host:port` and `:port`. Throws an Error that names the wrong item. */
export function parseDestinations(text: string | undefined): Destination[] {
  const items = (text ?? "").split(",").map((item) => item.trim().toLowerCase());
  return items.filter(Boolean).map((item) => {
    const [, bracketed, plain, port] = /^(?:\[([^\]]*)\]|([^:]*)):(\d{1,5})$/.exec(item) ?? [];
    if (port === undefined) throw new Error(`“${item}” is not host:port or :port`);
    return { host: bracketed ?? plain ?? "", port: Number(port) };
  });
}

/**
 * Resolves a destination once and returns the addresses that a connection may go to, in the resolver's order. A caller has
 * to connect to one of these and must not resolve again: a name can have another address a moment later. Throws
 * `address_not_allowed` when there are addresses and none is allowed, and the resolver's error (`ENOTFOUND`, …) when there
 * are none.
 */
export async function resolveAllowed(
  policy: OutgoingPolicy,
  wanted: Destination,
  timeoutMs = LOOKUP_MS,
): Promise<LookupAddress[]> {
  const found = await resolve(wanted.host, timeoutMs);
  const open = found.filter(({ address }) => !isDenied(policy, wanted, address));
  const allowed = isEndpoint(policy, wanted)
    ? open
    : open.filter(({ address }) => isAllowedAddress(address, policy.ranges));
  if (allowed.length > 0) return allowed;
  const [first] = open.length > 0 ? open : found;
  throw refuse(policy, wanted, { address: first?.address ?? "", isOwnPort: open.length === 0 });
}

async function resolve(host: string, timeoutMs: number): Promise<LookupAddress[]> {
  const family = isIP(host);
  if (family !== 0) return [{ address: host, family }];
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const error = Object.assign(new Error(`the name ${host} was not resolved in time`), { code: "ETIMEDOUT" });
    timer = setTimeout(() => reject(error), timeoutMs);
  });
  try {
    return await Promise.race([lookup(host, { all: true }), late]);
  } finally {
    clearTimeout(timer);
  }
}

function isEndpoint({ endpoints }: OutgoingPolicy, wanted: Destination): boolean {
  return endpoints.some(({ host, port }) => host === wanted.host.toLowerCase() && port === wanted.port);
}

function isDenied({ denied }: OutgoingPolicy, wanted: Destination, address: string): boolean {
  const atPort = denied.filter(({ port }) => port === wanted.port);
  if (atPort.length === 0) return false;
  return isOfThisMachine(address) || atPort.some(({ host }) => host === wanted.host.toLowerCase() || host === address);
}

function isOfThisMachine(address: string): boolean {
  if (THIS_MACHINE.has(address)) return true;
  const own = localAddresses();
  // Compared as ranges are, so that ::ffff:192.0.2.1 is 192.0.2.1 and a zone does not count.
  return parseRanges(own.map((one) => one.split("%")[0]).join()).has(address);
}

function refuse(
  { feature, variable }: OutgoingPolicy,
  { host, port }: Destination,
  { address, isOwnPort }: { address: string; isOwnPort: boolean },
): AppError {
  const shown = host.slice(0, 253);
  const where = isIP(host) ? shown : `${shown} (${address})`;
  const why = isOwnPort
    ? `port ${port} of this address is the server’s own, and stays closed.`
    : `the address is not public. An operator can allow it with ${variable}.`;
  return new AppError("address_not_allowed", `${feature} may not connect to ${where}: ${why}`);
}

/** Whether an error, or one of its causes, is the refusal of an address. */
export function refusalIn(error: unknown): AppError | null {
  for (let one = error, depth = 0; one instanceof Error && depth < 5; one = one.cause, depth++) {
    if (one instanceof AppError && one.code === "address_not_allowed") return one;
  }
  return null;
}

/**
 * The addresses of this host. Node leaves out those of interfaces without a carrier, which the kernel answers all the same:
 * on Linux they are read from its tables (proc_pid_net(5): fib_trie, if_inet6), as they are in this network namespace.
 */
export function localAddresses(): string[] {
  const listed = Object.values(networkInterfaces()).flatMap((found) => found?.map((one) => one.address) ?? []);
  const routed = [...read("/proc/net/fib_trie").matchAll(/\|-- (\S+)\s+\/32 host LOCAL/g)].map(
    (match) => match[1] ?? "",
  );
  const assigned = [...read("/proc/net/if_inet6").matchAll(/^[0-9a-f]{32}/gm)].map(([digits]) =>
    (digits.match(/.{4}/g) ?? []).join(":"),
  );
  return [...new Set([...listed, ...routed, ...assigned])];
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
