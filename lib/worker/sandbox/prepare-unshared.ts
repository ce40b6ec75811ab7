import { spawnDropped } from "@/lib/worker/launch/direct-launcher";
import { joinGroup } from "@/lib/worker/processes/control-groups";
import { requireUid } from "@/lib/worker/processes/user-ids";
import type { Admitted } from "../access/admit-run";
import { coversFor } from "../access/hidden-places";
import { secretEnv, secretFiles } from "../files/give-secrets";
import type { Workspace } from "../files/open-workspace";
import { readFirstLine } from "../launch/direct-launcher";
import type { Prepared } from "../launch/launcher";
import type { Use } from "../processes/process-use";
import type { Lease } from "../protocol";
import { buildEnv } from "../run/build-env";
import { checkProgram } from "../run/check-entry";
import { RunFailure } from "../run/run-failure";
import type { ScriptCommand } from "../run/script-command";
import type { EmitEvent } from "../stream-stderr";
import type { Unshared } from "./isolation";
import { openHosts, PROXY_ENV } from "./open-hosts";
import { SANDBOX_HOME, SANDBOX_WORKSPACE } from "./sandbox-command";
import { unshareCommand } from "./unshare-command";

type Host = {
  uid: number | null;
  skillDir: string;
  entryPath: string;
  script: ScriptCommand | null;
  workspace?: Workspace | null;
  admitted: Admitted;
  env: Record<string, string | undefined>;
  emit: EmitEvent;
};

/** How an entry is started in namespaces made with util-linux. Throws RunFailure as prepareEntry does. */
export function prepareUnshared(
  lease: Pick<Lease, "entry" | "env" | "limits" | "terms"> & Partial<Pick<Lease, "secrets">>,
  isolation: Unshared,
  host: Host,
): Prepared {
  const { terms, limits, entry } = lease;
  const uid = requireUid(host.uid);
  const { proxy: policy, paths, hidden } = host.admitted;
  const gated = policy !== null;
  const { nsenter } = isolation;
  if (gated && nsenter === null) {
    throw new RunFailure("spawn_failed", "This worker cannot give a run the network: that takes nsenter and ip.");
  }
  const { workspace } = host;
  const env = {
    ...buildEnv(lease.env, host.env, SANDBOX_HOME, secretEnv(lease.secrets)),
    ...(gated ? PROXY_ENV : {}),
    ...(workspace ? { WORKSPACE: SANDBOX_WORKSPACE } : {}),
    ...host.admitted.env,
  };
  const { skillDir } = host;
  const workspaceDir = workspace?.dir;
  const secrets = secretFiles(lease.secrets);
  const { script } = host;
  const covers = coversFor(isolation, { paths, hidden }, null);
  const run = { isolation, skillDir, entry, terms, limits, uid, gated, workspaceDir, secrets, script, paths, covers };
  const built = unshareCommand(run);
  const command = isolation.store?.enter(built) ?? built;
  checkProgram(
    readFirstLine(host.entryPath),
    [...isolation.system.dirs, ...isolation.system.files],
    script?.interpreter[0],
  );
  let groupUse: (() => Use) | null = null;
  return {
    async start() {
      const child = await spawnDropped(command, { env, gated, secrets });
      if (policy && nsenter !== null) await openHosts(child, { nsenter, policy, emit: host.emit, pid: child.pid });
      if (isolation.cgroups) groupUse = joinGroup(child, isolation.cgroups, limits, host.emit);
      return child;
    },
    sandbox: { hasOwnPids: !terms.namespaces.includes("pid") },
    // The runs of a session share theirs.
    ...(workspace ? {} : { ownUid: uid }),
    groupUse: () => groupUse?.() ?? null,
  };
}
