import { type AddressRanges, PUBLIC_ONLY } from "@/lib/core/outgoing/address-ranges";
import { ALLOWS_NOTHING, type WorkerAllowance } from "@/lib/policy/worker-allowance";
import type { Isolation } from "../sandbox/isolation";
import { tryProxy } from "../sandbox/try-proxy";
import type { OperatorAllowance } from "./read-allowance";
import type { ReleaseBuiltins } from "./release-builtins";
import { type ServerAddress, serverAddress } from "./server-address";

/** What runs of this worker may reach of its host and network, besides what an approval says. */
export type HostAccess = {
  /** The worker's name, for refusals. */
  worker: string;
  /** Said at registration, and held to. */
  allows: WorkerAllowance;
  ranges: AddressRanges;
  /** Folders and files that no run sees, as configured. */
  hidden: string[];
  release: ReleaseBuiltins;
  server: ServerAddress;
};

type Options = {
  worker: string;
  url: string;
  allowance: OperatorAllowance;
  hidden: string[];
  release: ReleaseBuiltins;
  isolation: Isolation;
};

/**
 * Settles what this worker allows: what its operator opened, as far as its isolation can hold runs to it. Where nothing of
 * the host can be hidden, nothing is opened.
 */
export async function settleAccess({ isolation, allowance, url, ...rest }: Options): Promise<HostAccess> {
  const server = serverAddress(url);
  const { ranges, ...opened } = allowance;
  const withholdsNetwork = await server.isLocal();
  const allows: WorkerAllowance = hidesHost(isolation)
    ? {
        ...opened,
        namespaces: opened.namespaces.filter((name) => name !== "net" || !withholdsNetwork),
        capabilities: canGiveCapabilities(isolation) ? opened.capabilities : [],
        ranges: [...ranges.texts],
        proxy: await tryProxy(isolation),
        hidesHost: true,
        withholdsNetwork,
      }
    : { ...ALLOWS_NOTHING, env: opened.env };
  return { ...rest, allows, ranges, server };
}

/** Whether runs have a view of the host of their own, in which something can be covered. */
export function hidesHost(isolation: Isolation): isolation is Extract<Isolation, { kind: "bubblewrap" | "unshare" }> {
  return isolation.kind === "bubblewrap" || isolation.kind === "unshare";
}

function canGiveCapabilities(isolation: Isolation): boolean {
  return isolation.kind === "unshare" || (isolation.kind === "bubblewrap" && isolation.setpriv !== null);
}

/** Of a worker that hides the host from its runs, and whose operator opened nothing. */
export function closedAccess(worker: string, url: string): HostAccess {
  return {
    ...{ worker, allows: { ...ALLOWS_NOTHING, hidesHost: true }, ranges: PUBLIC_ONLY, hidden: [] },
    ...{ release: new Map(), server: serverAddress(url) },
  };
}
