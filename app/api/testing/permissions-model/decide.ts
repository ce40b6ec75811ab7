import type { Command } from "./draw-commands";
import { type ModelSkill, type ModelVersion, neededNow, signatureOf, termsOf } from "./ledger";
import type { Play } from "./play";
import type { Caller } from "./world";

type Deciding = { command: Extract<Command, { kind: "decide" }>; skill: ModelSkill; caller: Caller };
type Decided = { state: string; decisions: { decision: string; standing: string | null; actor: { id: string } }[] };

/** Makes a decision on a version and notes who had signed which terms. */
export async function decide(play: Play, { command, skill, caller }: Deciding): Promise<void> {
  const version = skill.versions.at(command.older ? 0 : -1);
  if (version === undefined) return;
  const { decision, class: chosen, grants } = command;
  const terms = decision === "approve" ? { class: chosen, grants, ...entryOf(command, skill) } : {};
  const body = { decision, comment: "read all of it", ...terms };
  const path = `/api/skills/${skill.id}/versions/${version.digest}/decisions`;
  const answer = await play.ask(caller, "POST", path, body);
  if (!answer.ok) return;
  const { state, decisions } = answer.body as Decided;
  if (decision === "approve") return sign(play, { skill, version, caller, given: terms, decisions });
  // Declining other terms does not end an earlier approval.
  version.round = [];
  if (state !== "approved") version.standing = null;
}

/** A playbook has no entry of its own; a decision can make its script the entry. */
function entryOf({ entry }: Deciding["command"], { kind }: ModelSkill) {
  if (!entry || kind !== "playbook") return {};
  return {
    entry: { path: "scripts/do.sh", call: { style: "stdin-json" }, schema: { type: "object" }, output: "text" },
  };
}

type Signing = {
  skill: ModelSkill;
  version: ModelVersion;
  caller: Caller;
  given: Parameters<typeof termsOf>[2];
  decisions: Decided["decisions"];
};

function sign({ ledger, statistics }: Play, { skill, version, caller, given, decisions }: Signing): void {
  const terms = termsOf(skill, version, given);
  const round = version.round.filter((one) => one.terms.key === terms.key);
  round.push({ terms, signature: signatureOf(ledger, caller) });
  statistics.reach("sequences with an approval");
  if (terms.permissions.length > 0) statistics.reach("sequences with an approval with grants");
  // The server decides whether the version is active; each run that starts under it is judged.
  const last = decisions.findLast((one) => one.decision === "approve" && one.actor.id === caller.userId);
  if (last?.standing !== "counts") {
    version.round = round;
    return;
  }
  const signatures = round.map(({ signature }) => signature);
  version.standing = { terms, signatures, needed: neededNow(ledger, terms.highest), inName: null };
  version.round = [];
}
