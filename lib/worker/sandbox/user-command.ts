import { type ScriptCommand, wordsOf } from "../launch/script-command";
import { entryCommand } from "../launch/spawn-entry";
import type { RunLimits } from "../protocol";
import type { SeparateUser } from "./claim-uids";
import { dropCommand, limitCommand } from "./sandbox-command";

type UserRun = {
  isolation: SeparateUser;
  entryPath: string;
  script?: ScriptCommand | null;
  limits: RunLimits;
  uid: number;
};

/**
 * The command line of a run that has nothing but a user id of its own and limits. It has the network and the host's
 * files whether or not they were granted, as far as any account has; so it is given no run that was granted any of it.
 */
export function userCommand({ isolation, entryPath, script = null, limits, uid }: UserRun): string[] {
  const { setpriv } = isolation;
  const drop = setpriv === null ? [] : endWithWorker(dropCommand(setpriv, uid, []));
  const node = isolation.node ?? process.execPath;
  return [...drop, ...limitCommand(limits), ...(wordsOf(script, entryPath, node) ?? entryCommand(entryPath, node))];
}

function endWithWorker([setpriv = "", ...flags]: string[]): string[] {
  return [setpriv, "--pdeathsig", "KILL", ...flags];
}
