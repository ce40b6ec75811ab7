import { digestFiles } from "@/lib/skill-format/archive/skill-file";
import type { Command } from "./draw-commands";
import { type Asks, type ModelFile, type ModelSkill, type ModelVersion, sha256, termsOf } from "./ledger";
import type { Play } from "./play";
import type { Caller } from "./world";
import { uploadOf, writeFiles } from "./write-files";

type Of<K extends Command["kind"]> = Extract<Command, { kind: K }>;
type Answered = { id: string; owner: { kind: string; id: string | null }; pendingVersion: { digest: string } | null };

/** Imports a skill, with new bytes or with those of another skill. */
export async function importSkill(play: Play, command: Of<"import">): Promise<void> {
  const { ledger } = play;
  const caller = play.callerOf(command.by);
  const twin = command.sameAs === null ? undefined : play.pick(ledger.skills, command.sameAs);
  const same = twin?.versions.at(-1);
  const kind = twin?.kind ?? command.what;
  const name = twin?.name ?? `m${play.serial}_${ledger.skills.length}`;
  const steps = ledger.skills
    .filter((skill) => skill.kind === "pack")
    .slice(-2)
    .map((skill) => skill.name);
  if (kind === "pipeline" && steps.length === 0) return;
  const files = same?.files ?? writeFiles(kind, name, command.asks, steps);
  const asks = same?.asks ?? command.asks;
  const answer = await play.ask(
    caller,
    "POST",
    `/api/skills/import?owner=${command.owner}`,
    await uploadOf(name, files),
  );
  if (!answer.ok) return;
  const [skill] = (answer.body as { skills: Answered[] }).skills;
  const digest = skill?.pendingVersion?.digest;
  if (skill === undefined || digest === undefined) return;
  note(play, { answered: skill, name, kind, version: versionOf(kind, digest, files, asks), author: caller.userId });
}

/** Saves and submits an edit; the two callers may differ. */
export async function edit(
  play: Play,
  { command, skill, caller }: { command: Of<"edit">; skill: ModelSkill; caller: Caller },
): Promise<void> {
  const base = skill.versions.at(-1);
  if (base === undefined || skill.kind === "pipeline") return;
  const files = writeFiles(skill.kind, skill.name, command.asks, []);
  const body = { baseDigest: base.digest, files: files.map(({ path, mode, text }) => ({ path, mode, text })) };
  const answer = await play.ask(caller, "POST", `/api/skills/${skill.id}/versions`, body);
  if (!answer.ok) return;
  const digest = answer.text("digest");
  const version = skill.versions.find((known) => known.digest === digest) ?? {
    ...versionOf(skill.kind, digest, files, command.asks),
    isDraft: true,
  };
  if (!skill.versions.includes(version)) {
    version.authors.add(caller.userId);
    skill.versions.push(version);
  }
  await submit(play, { skill, caller: play.callerOf(command.submitter, skill), version });
}

/** Submits a version for review; the caller becomes one of its authors. */
export async function submit(
  play: Play,
  { skill, caller, version }: { skill: ModelSkill; caller: Caller; version: ModelVersion | undefined },
): Promise<void> {
  if (version === undefined) return;
  const answer = await play.ask(caller, "POST", `/api/skills/${skill.id}/versions/${version.digest}/submit`, {});
  if (!answer.ok) return;
  version.authors.add(caller.userId);
  version.isDraft = false;
}

/** Changes the owner of a skill: the same bytes become an unapproved skill of the organisation or of a persona. */
export async function publish(
  play: Play,
  { skill, caller, toPersona }: { skill: ModelSkill; caller: Caller; toPersona: boolean },
): Promise<void> {
  const body = toPersona ? { persona: play.world.personaId } : {};
  const answer = await play.ask(caller, "POST", `/api/skills/${skill.id}/publish`, body);
  if (!answer.ok) return;
  const answered = answer.body as Answered;
  const source = skill.versions.find(({ digest }) => digest === answered.pendingVersion?.digest);
  if (source === undefined) return;
  const version = versionOf(skill.kind, source.digest, source.files, source.asks);
  for (const author of source.authors) version.authors.add(author);
  note(play, { answered, name: skill.name, kind: skill.kind, version, author: caller.userId });
}

/** A worker submits a folder with a skill, whose digest the operator may trust. */
export async function offer(play: Play, command: Of<"offer">): Promise<void> {
  const { ledger, world } = play;
  const worker = world.workers[command.worker];
  if (worker === undefined) return;
  const name = `m${play.serial}_w${ledger.skills.length}`;
  const files = writeFiles("pack", name, command.asks, []);
  const hashed = files.map(({ path, mode, text }) => ({ path, mode, sha256: sha256(text), size: text.length }));
  const digest = digestFiles(hashed);
  if (command.trusted) ledger.trusted.add(digest);
  world.trust([...ledger.trusted]);
  const path = `/etc/skills/${name}`;
  const inventory = { items: [{ kind: "directory", root: "/etc/skills", path, files: hashed }], problems: [] };
  const first = await play.ask(worker, "POST", "/api/worker/inventory", inventory);
  for (const sha of (first.body as { need: string[] }).need) {
    const file = files.find(({ text }) => sha256(text) === sha);
    await play.ask(worker, "PUT", `/api/worker/blobs/${sha}`, new TextEncoder().encode(file?.text));
  }
  const answer = await play.ask(worker, "POST", "/api/worker/inventory", inventory);
  const [skill] = (answer.body as { skills: { skillId: string }[] }).skills;
  if (!answer.ok || skill === undefined) return;
  const version = versionOf("pack", digest, files, command.asks);
  const noted: ModelSkill = {
    id: skill.skillId,
    name,
    kind: "pack",
    owner: null,
    isFromWorker: true,
    versions: [version],
  };
  if (command.trusted) {
    version.standing = { terms: termsOf(noted, version, {}), signatures: [], needed: 1, inName: "operator" };
  }
  ledger.skills.push(noted);
}

function versionOf(kind: ModelSkill["kind"], digest: string, files: ModelFile[], drawn: Asks): ModelVersion {
  // Declarations that the files of this kind can contain.
  const nothing: Asks = { env: [], timeoutSeconds: null, class: null, allowedTools: [] };
  const asks =
    kind === "pack"
      ? { ...drawn, allowedTools: [] }
      : { ...nothing, ...(kind === "playbook" && { class: drawn.class, allowedTools: drawn.allowedTools }) };
  return { digest, files, asks, authors: new Set(), isDraft: false, round: [], standing: null };
}

type Noted = { answered: Answered; name: string; kind: ModelSkill["kind"]; version: ModelVersion; author: string };

function note({ ledger }: Play, { answered, name, kind, version, author }: Noted): void {
  const { id, owner } = answered;
  const found = ledger.skills.find((skill) => skill.id === id);
  const ownerId = owner.kind === "user" ? owner.id : null;
  const skill = found ?? { id, name, kind, owner: ownerId, isFromWorker: false, versions: [] };
  if (found === undefined) ledger.skills.push(skill);
  const known = skill.versions.find(({ digest }) => digest === version.digest);
  // Bytes that were in review before keep their authors; importing a draft submits it.
  if (known !== undefined && !known.isDraft) return;
  const kept = known ?? version;
  kept.isDraft = false;
  kept.authors.add(author);
  if (known === undefined) skill.versions.push(kept);
}
