import type { RunLimits, RunTerms } from "../protocol";
import { RunFailure } from "../run-failure";
import { type ScriptCommand, wordsOf } from "../script-command";
import { entryCommand } from "../spawn-entry";
import type { SeparateUser } from "./isolation";
import { dropCommand, limitCommand } from "./sandbox-command";

type UserRun = {
  isolation: SeparateUser;
  entryPath: string;
  script?: ScriptCommand | null;
  terms: RunTerms;
  limits: RunLimits;
  uid: number;
};

/**
 * The command line of a run that has nothing but a user id of its own and limits. It has the network and the host's
 * files whether or not they were granted, as far as any account has; so a grant that would have to be held to something
 * narrower, or made wider, throws RunFailure.
 */
export function userCommand({ isolation, entryPath, script = null, terms, limits, uid }: UserRun): string[] {
  const impossible = [
    ...(terms.hosts.length > 0 && !terms.network ? ["the network for single hosts"] : []),
    ...(terms.paths.length > 0 ? ["single paths of the host"] : []),
    ...(terms.capabilities.length > 0 && isolation.setpriv === null ? ["Linux capabilities"] : []),
  ];
  if (impossible.length > 0) {
    const message = `This worker cannot open ${impossible.join(" or ")}: its runs have a user id of their own and nothing else.`;
    throw new RunFailure("spawn_failed", message);
  }
  const { setpriv } = isolation;
  const drop = setpriv === null ? [] : endWithWorker(dropCommand(setpriv, uid, terms.capabilities));
  const node = isolation.node ?? process.execPath;
  return [...drop, ...limitCommand(limits), ...(wordsOf(script, entryPath, node) ?? entryCommand(entryPath, node))];
}

function endWithWorker([setpriv = "", ...flags]: string[]): string[] {
  return [setpriv, "--pdeathsig", "KILL", ...flags];
}
