import { parseRanges } from "@/lib/core/outgoing/address-ranges";
import { OPENABLE_CAPABILITIES } from "@/lib/policy/worker-allowance";
import { closedAccess, type HostAccess } from "../access/host-access";

/** Of a worker whose operator opened all that can be opened, the network of this machine among it. */
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
