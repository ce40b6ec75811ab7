import type { Grants } from "@/lib/policy/grants/schema";
import type { RunTerms } from "@/lib/worker/protocol";

/** What a decision opens of the sandbox. A list of hosts opens the way to these hosts, not the network. */
export function sandboxTerms(grants: Grants): RunTerms {
  return {
    network: grants.network === true,
    hosts: Array.isArray(grants.network) ? grants.network : [],
    paths: grants.paths ?? [],
    namespaces: (grants.namespaces ?? []).map((name) => (name === "network" ? "net" : name)),
    capabilities: grants.capabilities ?? [],
  };
}
