import { isIP } from "node:net";
import { type AddressRanges, isAllowedAddress, PUBLIC_ONLY, parseRanges } from "@/lib/core/outgoing/address-ranges";
import type { Grants } from "./grants/schema";
import { type NotAllowed, sharesNetwork, type WorkerAllowance } from "./worker-allowance";

/** Granted IP addresses outside the worker's ranges. The worker checks addresses behind names at each connection. */
export function addressesNotAllowed(allowance: WorkerAllowance, grants: Grants): NotAllowed[] {
  const addresses = sharesNetwork(grants) || !Array.isArray(grants.network) ? [] : grants.network.flatMap(addressOf);
  if (addresses.length === 0) return [];
  const ranges = readRanges(allowance.ranges);
  return addresses
    .filter((address) => !isAllowedAddress(address, ranges))
    .map((address) => ({ variable: "SKILLGATE_WORKER_RANGES", what: `the address ${address}` }));
}

function addressOf(host: string): string[] {
  const [name = ""] = host.split(":");
  if (name === "localhost") return ["127.0.0.1"];
  return isIP(name) === 0 ? [] : [name];
}

/** Unreadable ranges allow public addresses only. */
function readRanges(texts: readonly string[]): AddressRanges {
  try {
    return parseRanges(texts.join(","));
  } catch {
    return PUBLIC_ONLY;
  }
}
