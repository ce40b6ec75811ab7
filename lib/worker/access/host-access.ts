import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { AddressRanges } from "@/lib/core/outgoing/address-ranges";
import { Grants } from "@/lib/policy/grants/schema";
import { ALLOWS_NOTHING, isWithinGrants, type WorkerAllowance } from "@/lib/policy/worker-allowance";
import { bubblewrapLaunch, droppingLaunch, startDirectly } from "../launch/direct-launcher";
import type { LaunchCommand } from "../launch/launcher";
import type { OperatorAllowance } from "../read-settings";
import type { Isolation } from "../sandbox/isolation";
import { openHosts } from "../sandbox/open-hosts";
import { runTrial, trialCommand, trialUnshared } from "../sandbox/trial-runs";
import { type ServerAddress, serverAddress } from "./server-address";

const Manifest = z.object({ builtins: z.array(z.object({ digest: z.string(), grants: Grants.default({}) })) });

type ReleaseBuiltins = ReadonlyMap<string, Grants>;

/** What runs of this worker may access of its host and network, if an approval grants it. */
export type HostAccess = {
  worker: string;
  /** Sent at registration, and enforced. */
  allows: WorkerAllowance;
  ranges: AddressRanges;
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

/** What this worker allows: what its operator allowed, if its isolation can hide the host; else nothing. */
export async function resolveAccess({ isolation, allowance, url, ...rest }: Options): Promise<HostAccess> {
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

/** Whether runs have a separate view of the host, in which places can be covered. */
export function hidesHost(isolation: Isolation): isolation is Extract<Isolation, { kind: "bubblewrap" | "unshare" }> {
  return isolation.kind === "bubblewrap" || isolation.kind === "unshare";
}

function canGiveCapabilities(isolation: Isolation): boolean {
  return isolation.kind === "unshare" || (isolation.kind === "bubblewrap" && isolation.setpriv !== null);
}

async function tryProxy(isolation: Isolation): Promise<boolean> {
  if (isolation.kind !== "bubblewrap" && isolation.kind !== "unshare") return false;
  const { nsenter } = isolation;
  if (nsenter === null) return false;
  const policy = { hosts: [], refuses: () => "it is a trial" };
  const failure = await runTrial(async () => {
    const child = await startDirectly(trialLaunch(isolation));
    const pid = isolation.kind === "unshare" ? { pid: child.pid } : {};
    await openHosts(child, { nsenter, policy, emit: () => {}, ...pid });
    return child;
  });
  return failure === null;
}

function trialLaunch(isolation: Extract<Isolation, { kind: "bubblewrap" | "unshare" }>): LaunchCommand {
  const options = { env: {}, pipes: 2 as const };
  if (isolation.kind === "unshare") {
    return droppingLaunch([...trialUnshared(isolation, { isBlocked: true }), "/bin/true"], options);
  }
  const uid = isolation.uids?.first ?? null;
  return bubblewrapLaunch(isolation, trialCommand(isolation, uid, { isBlocked: true }), { ...options, uid });
}

/** Reads the manifest of the built-ins delivered with this worker; empty without one. Throws when it is damaged. */
export function readReleaseBuiltins(builtinsDir: string): ReleaseBuiltins {
  const file = join(builtinsDir, "manifest.json");
  if (!existsSync(file)) return new Map();
  const { builtins } = Manifest.parse(JSON.parse(readFileSync(file, "utf8")));
  return new Map(builtins.map(({ digest, grants }) => [digest, grants]));
}

/** Whether a lease is a built-in of this release with at most the release's grants; decided without trusting the server. */
export function isReleaseBuiltin(versionDigest: string, given: Grants, builtins: ReleaseBuiltins): boolean {
  const grants = builtins.get(versionDigest);
  return grants !== undefined && isWithinGrants(given, grants);
}
