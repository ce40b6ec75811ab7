import { chmodSync, chownSync, mkdirSync } from "node:fs";
import type { Admitted } from "../access/admit-run";
import { buildEnv } from "../build-env";
import { checkProgram } from "../check-program";
import type { EmitEvent } from "../emit-event";
import { secretEnv, secretFiles, writeSecretFiles } from "../give-secrets";
import type { Workspace } from "../open-workspace";
import type { Prepared } from "../prepared";
import type { Lease } from "../protocol";
import type { ScriptCommand } from "../script-command";
import { readFirstLine } from "../spawn-entry";
import type { Use } from "../watch-use";
import type { SeparateUser } from "./isolation";
import { joinGroup } from "./join-group";
import { requireUid } from "./require-uid";
import { spawnDropped } from "./spawn-dropped";
import { userCommand } from "./user-command";

type Host = {
  uid: number | null;
  skillDir: string;
  /** Made here, for the run alone. */
  homeDir: string;
  entryPath: string;
  script: ScriptCommand | null;
  workspace?: Workspace | null;
  admitted: Admitted;
  env: Record<string, string | undefined>;
  emit: EmitEvent;
};

/** How an entry is started under a user id of its own and nothing more. Throws RunFailure as prepareEntry does. */
export function prepareAsUser(
  { env: granted, limits, secrets }: Pick<Lease, "env" | "limits"> & Partial<Pick<Lease, "secrets">>,
  isolation: SeparateUser,
  { skillDir, homeDir, entryPath, script, env, emit, uid: given, workspace, admitted }: Host,
): Prepared {
  const uid = requireUid(given);
  const command = userCommand({ isolation, entryPath, script, limits, uid });
  // All of the host is in sight.
  checkProgram(readFirstLine(entryPath), [""], script?.interpreter[0]);
  mkdirSync(homeDir, { recursive: true });
  chmodSync(homeDir, 0o700);
  chownSync(homeDir, uid, uid);
  writeSecretFiles(secretFiles(secrets), homeDir, uid);
  let groupUse: (() => Use) | null = null;
  return {
    async start() {
      const child = await spawnDropped(command, {
        env: {
          ...buildEnv(granted, env, homeDir, secretEnv(secrets)),
          ...(workspace ? { WORKSPACE: workspace.dir } : {}),
          ...admitted.env,
        },
        cwd: skillDir,
        uid: isolation.setpriv === null ? uid : null,
      });
      if (isolation.cgroups) groupUse = joinGroup(child, isolation.cgroups, limits, emit);
      return child;
    },
    sandbox: null,
    // The runs of a session share theirs.
    ...(workspace ? {} : { ownUid: uid }),
    groupUse: () => groupUse?.() ?? null,
  };
}
