import { parseJsonColumn } from "@/lib/core/json";
import { type ApprovalSubject, subjectJson } from "@/lib/policy/approval-subject";
import { Grants } from "@/lib/policy/grants/schema";
import { timeoutOf } from "@/lib/policy/grants/settle-grants";
import { SkillClass, SkillManifest } from "@/lib/skill-format/schema";

type SkillPart = { id: string; ownerKey: string };
type VersionPart = { digest: string; manifest: string };

/** What an approval of this version with this class and these grants signs. */
export function subjectOf(
  skill: SkillPart,
  version: VersionPart,
  terms: { class: SkillClass; grants: Grants },
): ApprovalSubject {
  const manifest = parseJsonColumn(SkillManifest, version.manifest);
  return {
    skillId: skill.id,
    owner: skill.ownerKey,
    versionDigest: version.digest,
    class: terms.class,
    entry: manifest.entry,
    schema: manifest.schema,
    grants: terms.grants,
    limits: { timeoutSeconds: timeoutOf(terms.grants) },
  };
}

/** The subject of what is stored now, as canonical JSON. Throws when a column is not what this program wrote. */
export function storedSubjectJson(
  skill: SkillPart,
  version: VersionPart & { class: string | null; grants: string | null },
): string {
  const terms = { class: SkillClass.parse(version.class), grants: parseJsonColumn(Grants, version.grants ?? "{}") };
  return subjectJson(subjectOf(skill, version, terms));
}
