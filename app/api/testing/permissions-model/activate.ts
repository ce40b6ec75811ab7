import { beyondPlain } from "@/lib/review/verify/judge-run";
import type { Command } from "./draw-commands";
import { askedBy, type Ledger, type ModelSkill, type ModelVersion, neededNow, signatureOf } from "./ledger";
import type { Play } from "./play";
import type { Caller } from "./world";

type Activating = { command: Extract<Command, { kind: "activate" }>; skill: ModelSkill; caller: Caller };

/** Activates a version, either alone or together with revoking the active one. */
export async function activate(play: Play, { command, skill, caller }: Activating): Promise<void> {
  const version = play.pick(skill.versions, command.version);
  if (version === undefined) return;
  const at = `/api/skills/${skill.id}`;
  const active = await activeOf(play, skill);
  if (command.revokes) {
    if (active === undefined) return;
    const body = { decision: "revoke", comment: "back", activate: version.digest };
    const answer = await play.ask(caller, "POST", `${at}/versions/${active.digest}/decisions`, body);
    if (!answer.ok) return;
    active.standing = null;
    active.round = [];
  } else {
    const answer = await play.ask(caller, "POST", `${at}/versions/${version.digest}/activate`);
    // Activating the active version changes nothing.
    if (!answer.ok || active === version) return;
  }
  version.activatedBack = true;
  play.statistics.count("activations");
  if ((await activeOf(play, skill)) !== version) play.violations.push(`${skill.name}: it was not made active`);
  for (const problem of judge(play.ledger, { skill, version, caller }))
    play.violations.push(`${skill.name}: ${problem}`);
}

async function activeOf(play: Play, skill: ModelSkill): Promise<ModelVersion | undefined> {
  const answer = await play.ask(play.world.admin, "GET", `/api/skills/${skill.id}`);
  const { currentVersion } = answer.body as { currentVersion: { digest: string } | null };
  return skill.versions.find(({ digest }) => digest === currentVersion?.digest);
}

/**
 * Whether its approval suffices under the current settings, and whether the person may decide: computed from the rules
 * themselves.
 */
function judge(
  ledger: Ledger,
  { skill, version, caller }: Omit<Activating, "command"> & { version: ModelVersion },
): string[] {
  const { standing, authors } = version;
  if (standing === null) return ["a version was made active that has no approval, or whose approval was revoked"];
  const { terms, inName, signatures } = standing;
  const isPlain =
    beyondPlain([...terms.permissions, ...askedBy(version.asks)]).length === 0 && terms.highest === "safe";
  const excludes = ledger.settings.soloMode ? [] : [...authors, ...(skill.owner === null ? [] : [skill.owner])];
  const others = signatures.filter(({ signer, hadRole, byAgent }) => hadRole && !byAgent && !excludes.includes(signer));
  const given = new Set(others.map(({ signer }) => signer)).size;
  const isOwners = signatures.some(({ signer, hadRole, soloMode }) => signer === skill.owner && !(hadRole && soloMode));
  const isAlone = isOwners && isPlain && ledger.settings.ownerMayApproveSafe;
  const suffices = inName !== null || given >= neededNow(ledger, terms.highest) || isAlone;
  const signature = signatureOf(ledger, caller);
  const isExcluded = caller.userId === skill.owner || authors.has(caller.userId);
  const isOther = signature.hadRole === true && (signature.soloMode || !isExcluded);
  const isOwnChoice =
    caller.userId === skill.owner && caller.inPerson && isPlain && ledger.settings.ownerMayApproveSafe;
  return [
    ...(suffices ? [] : ["a version was made active whose approval does not suffice by the settings of this moment"]),
    ...(isOther || isOwnChoice ? [] : [`${caller.name} made a version active and may not decide on it`]),
    ...(caller.byAgent ? [`${caller.name} made a version active`] : []),
  ];
}
