import { PUBLIC_ONLY, parseRanges } from "@/lib/core/outgoing/address-ranges";
import { ALLOWS_NOTHING, OPENABLE_CAPABILITIES } from "@/lib/policy/worker-allowance";
import type { HostAccess } from "../access/host-access";
import { serverAddress } from "../access/server-address";

/** The access of a worker that hides the host from its runs and whose operator allowed nothing. */
export function closedAccess(worker: string, url: string): HostAccess {
  return {
    ...{ worker, allows: { ...ALLOWS_NOTHING, hidesHost: true }, ranges: PUBLIC_ONLY, hidden: [] },
    ...{ release: new Map(), server: serverAddress(url) },
  };
}

/** The access of a worker whose operator allowed everything that can be allowed, including the machine’s own network. */
export function openAccess(changes: Partial<HostAccess> = {}): HostAccess {
  const ranges = ["0.0.0.0/0", "::/0"];
  return {
    ...closedAccess("test", "http://192.0.2.1:9"),
    allows: {
      ...{ paths: ["/"], env: ["*"], capabilities: [...OPENABLE_CAPABILITIES], proxy: true, ranges },
      namespaces: ["net", "pid", "ipc", "uts", "cgroup", "user"],
      ...{ hidesHost: true, withholdsNetwork: false },
    },
    ranges: parseRanges(ranges.join()),
    ...changes,
  };
}
