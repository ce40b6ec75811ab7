import type { LookupAddress } from "node:dns";
import { lookup } from "node:dns/promises";
import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { networkInterfaces } from "node:os";
import { AppError } from "@/lib/core/errors";
import { type AddressRanges, isAllowedAddress, isPublicAddress, parseRanges } from "./address-ranges";

/** A lower-case name, or an address without brackets, and a port. */
export type Destination = { host: string; port: number };

export type OutgoingPolicy = {
  /** Subject of refusals, such as “The audit webhook”. */
  feature: string;
  ranges: AddressRanges;
  variable: string;
  /** Destinations that operators configured, whose addresses are not checked. */
  endpoints: readonly Destination[];
  /**
   * The server's own ports, which no range allows: refused for the named host and for every address of this machine.
   */
  denied: readonly Destination[];
  /** Refuses plain HTTP to public addresses, where others could read a credential; endpoints excepted. */
  isTlsRequired?: true;
};

const LOOKUP_MS = 10_000;

const THIS_MACHINE = parseRanges("0.0.0.0/8,127.0.0.0/8,::,::1");

/** Destination of a URL; the default port is 443 for https, else 80 or `defaultPort`. Throws for an invalid URL. */
export function destinationOf(url: string | URL, defaultPort?: number): Destination {
  const { protocol, host } = new URL(url);
  const implied = defaultPort ?? (protocol === "https:" ? 443 : 80);
  // The URL standard does not normalize hosts of other schemes. Port 80 is dropped here.
  const { hostname, port } = new URL(`${protocol === "https:" ? protocol : "http:"}//${host}`);
  const isWritten = port !== "" || /:\d+$/.test(host);
  return { host: hostname.replace(/^\[|\]$/g, "").toLowerCase(), port: isWritten ? Number(port || 80) : implied };
}

/** Parses comma-separated `host:port` and `:port`. Throws an Error that names the invalid item. */
export function parseDestinations(text: string | undefined): Destination[] {
  const items = (text ?? "").split(",").map((item) => item.trim().toLowerCase());
  return items.filter(Boolean).map((item) => {
    const [, bracketed, plain, port] = /^(?:\[([^\]]*)\]|([^:]*)):(\d{1,5})$/.exec(item) ?? [];
    if (port === undefined) throw new Error(`“${item}” is not host:port or :port`);
    return { host: bracketed ?? plain ?? "", port: Number(port) };
  });
}

/**
 * Resolves a destination once and returns its allowed addresses, in the resolver's order. Connect to one of them
 * without resolving again, since the name may change (DNS rebinding). Throws `address_not_allowed` when no address is
 * allowed, and the resolver's error (`ENOTFOUND`, …) when there is none.
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

/** Throws `address_not_allowed` for addresses to which the policy does not allow plain HTTP. */
export function assertPlainAllowed(policy: OutgoingPolicy, wanted: Destination, found: readonly LookupAddress[]): void {
  if (!policy.isTlsRequired || isEndpoint(policy, wanted)) return;
  if (!found.some(({ address }) => isPublicAddress(address))) return;
  throw new AppError(
    "address_not_allowed",
    `${policy.feature} may not connect to ${wanted.host} without TLS: its address is public. Use https://.`,
  );
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
  // Compared as ranges, so that ::ffff:192.0.2.1 equals 192.0.2.1 and zones are ignored.
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
    ? `port ${port} of this address belongs to this server and is never allowed.`
    : `the address is not public. An operator can allow it with ${variable}.`;
  return new AppError("address_not_allowed", `${feature} may not connect to ${where}: ${why}`);
}

/** The `address_not_allowed` error among an error and its causes; null if none. */
export function refusalIn(error: unknown): AppError | null {
  for (let one = error, depth = 0; one instanceof Error && depth < 5; one = one.cause, depth++) {
    if (one instanceof AppError && one.code === "address_not_allowed") return one;
  }
  return null;
}

/**
 * Addresses of this host. Node omits those of interfaces without a carrier, to which the kernel still responds, so on
 * Linux they are read from proc_pid_net(5) (fib_trie, if_inet6).
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
