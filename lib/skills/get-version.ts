import { z } from "zod";
import { parseJsonColumn } from "@/lib/core/json";
import type { Ctx } from "@/lib/db/context";
import { proposeClass } from "@/lib/policy/propose-class";
import { Diagnostic, FileMode, JsonObject, SkillClass, SkillManifest } from "@/lib/skill-format/schema";
import { presentVersionSummary } from "./list-versions";
import { Grants, type Version, VersionDecision } from "./schema";
import { requireVersion, type VersionRow } from "./version-access";

/** One version with everything a reviewer looks at: manifest, files, diagnostics, decisions. */
export async function getVersion(ctx: Ctx, idOrName: string, digest: string): Promise<Version> {
  const { version } = await requireVersion(ctx, idOrName, digest);
  return presentVersion(version);
}

export function presentVersion(row: VersionRow): Version {
  const manifest = parseJsonColumn(SkillManifest, row.manifest);
  return {
    ...presentVersionSummary(row),
    skillId: row.skillId,
    manifest,
    provenance: parseJsonColumn(JsonObject, row.provenance),
    submittedAt: row.submittedAt?.toISOString() ?? null,
    proposedClass: proposeClass(manifest, row.files).class,
    files: row.files.map(({ path, mode, sha256, size, isText }) => ({
      path,
      mode: FileMode.parse(mode),
      sha256,
      size,
      isText,
    })),
    diagnostics: parseJsonColumn(z.array(Diagnostic), row.diagnostics),
    findings: [],
    decisions: row.decisions.map((decision) => ({
      id: decision.id,
      decision: VersionDecision.shape.decision.parse(decision.decision),
      comment: decision.comment,
      class: decision.class === null ? null : SkillClass.parse(decision.class),
      grants: decision.grants === null ? null : parseJsonColumn(Grants, decision.grants),
      actor: { id: decision.actorId, name: decision.actorName },
      soloMode: decision.soloMode,
      createdAt: decision.createdAt.toISOString(),
    })),
    subject: row.subject,
  };
}
