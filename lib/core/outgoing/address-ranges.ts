import { BlockList, isIP } from "node:net";

/** Address ranges that an operator allowed besides public ones; parsed by `parseRanges`. */
export type AddressRanges = {
  readonly texts: readonly string[];
  has(address: string): boolean;
};

export const PUBLIC_ONLY: AddressRanges = { texts: [], has: () => false };

/**
 * Parses comma-separated ranges such as `10.0.0.0/8, 127.0.0.1, fd00::/8`; an address without a prefix length is a
 * range of one. Throws an Error that names the invalid item.
 */
export function parseRanges(text: string | undefined): AddressRanges {
  const texts = (text ?? "")
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
  const list = new BlockList();
  for (const item of texts) {
    const [network = "", bits, ...more] = item.split("/");
    const version = network.includes("%") ? 0 : isIP(network);
    const most = version === 6 ? 128 : 32;
    const prefix = bits === undefined ? most : /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN;
    if (version === 0 || more.length > 0 || !(prefix <= most)) {
      throw new Error(`“${item}” is not an address range such as 10.0.0.0/8 or fd00::/8`);
    }
    list.addSubnet(network, prefix, version === 6 ? "ipv6" : "ipv4");
  }
  return { texts, has: (address) => isIn(list, address) };
}

/** Whether a list contains an address, without regard to its zone (`fe80::1%eth0`). */
function isIn(list: BlockList, address: string): boolean {
  const [plain = ""] = address.split("%");
  const version = isIP(plain);
  return version !== 0 && list.check(plain, version === 6 ? "ipv6" : "ipv4");
}

const NOT_PUBLIC = new BlockList();
for (const [network, bits] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
] as const) {
  NOT_PUBLIC.addSubnet(network, bits, "ipv4");
}
// In IPv6 only global unicast (2000::/3) is public, except for translation and documentation ranges.
const GLOBAL_UNICAST = new BlockList();
GLOBAL_UNICAST.addSubnet("2000::", 3, "ipv6");
for (const [network, bits] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const) {
  NOT_PUBLIC.addSubnet(network, bits, "ipv6");
}

/**
 * Whether an address belongs to the public internet by the IANA special-purpose registries (RFC 6890): not loopback,
 * link-local, private, unique-local, shared, multicast, reserved, documentation, nor a form of IPv6 that stands for an
 * IPv4 address (mapped, NAT64, 6to4, Teredo).
 */
export function isPublicAddress(address: string): boolean {
  const isGlobal = isIP(address) === 4 || isIn(GLOBAL_UNICAST, address);
  return isGlobal && !isIn(NOT_PUBLIC, address);
}

export function isAllowedAddress(address: string, ranges: AddressRanges): boolean {
  return isPublicAddress(address) || ranges.has(address);
}
