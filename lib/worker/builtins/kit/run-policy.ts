import { parseRanges } from "@/lib/core/outgoing/address-ranges";
import { type OutgoingPolicy, parseDestinations } from "@/lib/core/outgoing/outgoing-policy";
import type { BuiltinIo } from "./builtin";

/**
 * The addresses that a built-in may connect to. The worker passes the operator's ranges in SKILLGATE_RUN_RANGES and the
 * server's own ports in SKILLGATE_RUN_DENIED. Throws for an invalid range or port, so that nothing is reached.
 */
export function runPolicy({ env }: Pick<BuiltinIo, "env">, feature: string): OutgoingPolicy {
  return {
    feature,
    ranges: parseRanges(env.SKILLGATE_RUN_RANGES),
    variable: "SKILLGATE_WORKER_RANGES",
    endpoints: [],
    denied: parseDestinations(env.SKILLGATE_RUN_DENIED),
  };
}
