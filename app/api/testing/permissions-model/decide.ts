import type { Command } from "./draw-commands";
import { type ModelSkill, type ModelVersion, neededNow, signatureOf, termsOf } from "./ledger";
import type { Play } from "./play";
import type { Caller } from "./world";

type Deciding = { command: Extract<Command, { kind: "decide" }>; skill: ModelSkill; caller: Caller };
type Decided = { state: string; decisions: { decision: string; standing: string | null; actor: { id: string } }[] };

/** A decision on a version, and who signed what when it was made. */
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
  // A decline of other terms leaves what stands.
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
  // Whether it serves now is the server's to say; whether it may is judged when a run starts under it.
  const last = decisions.findLast((one) => one.decision === "approve" && one.actor.id === caller.userId);
  if (last?.standing !== "counts") {
    version.round = round;
    return;
  }
  const signatures = round.map(({ signature }) => signature);
  version.standing = { terms, signatures, needed: neededNow(ledger, terms.highest), inName: null };
  version.round = [];
}
