import { keepParsed } from "@/lib/core/json";
import { type ApprovalSubject, subjectJson } from "@/lib/policy/approval-statement";
import { Grants } from "@/lib/policy/grants/schema";
import { timeoutOf } from "@/lib/policy/grants/settle-grants";
import type { ScriptEntry } from "@/lib/skill-format/entry/script-entry";
import { SkillClass, SkillManifest } from "@/lib/skill-format/schema";
import { decidedEntry } from "./served-manifest";

type SkillPart = { id: string; ownerKey: string };
type VersionPart = { digest: string; manifest: string };

/** The subject that an approval with this class, these grants and this entry signs. */
export function subjectOf(
  skill: SkillPart,
  version: VersionPart,
  terms: { class: SkillClass; grants: Grants; entry: ScriptEntry | null },
): ApprovalSubject {
  const manifest = keepParsed(SkillManifest, version.manifest);
  return {
    skillId: skill.id,
    owner: skill.ownerKey,
    versionDigest: version.digest,
    class: terms.class,
    entry: terms.entry ? terms.entry.path : manifest.entry,
    schema: terms.entry ? terms.entry.schema : manifest.schema,
    grants: terms.grants,
    limits: { timeoutSeconds: timeoutOf(terms.grants) },
    ...(terms.entry ? { call: terms.entry.call, output: terms.entry.output } : {}),
  };
}

/** The subject of the stored terms, as canonical JSON. Throws when a column was not written by this program. */
export function storedSubjectJson(
  skill: SkillPart,
  version: VersionPart & { class: string | null; grants: string | null; entry: string | null },
): string {
  const terms = {
    class: SkillClass.parse(version.class),
    grants: keepParsed(Grants, version.grants ?? "{}"),
    entry: decidedEntry(version),
  };
  return subjectJson(subjectOf(skill, version, terms));
}
