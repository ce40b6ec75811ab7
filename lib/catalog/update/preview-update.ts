import { sha256Hex } from "@/lib/core/hash";
import { parseJsonColumn } from "@/lib/core/json";
import type { Ctx } from "@/lib/db/context";
import { proposeClass } from "@/lib/policy/propose-class";
import { requireScope } from "@/lib/policy/require-scope";
import { isText } from "@/lib/skill-format/archive/decode-text";
import type { SkillFile } from "@/lib/skill-format/archive/skill-file";
import { SkillManifest } from "@/lib/skill-format/schema";
import { requireSkill } from "@/lib/skills/skill-access";
import { requireVersion } from "@/lib/skills/version-access";
import { isWithheld, UNREVIEWED } from "@/lib/skills/versions/agent-file-access";
import { type DiffSide, declaredChanges, diffFiles } from "@/lib/skills/versions/diff-versions";
import { readBlob } from "@/lib/skills/versions/read-blob";
import { readFolder } from "../install/read-folder";
import { findUpstream } from "./find-upstream";
import type { UpdatePreview } from "./schema";

/** Compares an update with the installed version; stores nothing. Agents do not see the content of scripts. */
export async function previewUpdate(ctx: Ctx, idOrName: string): Promise<UpdatePreview> {
  requireScope(ctx.actor, "read");
  const skill = await requireSkill(ctx, idOrName);
  const upstream = await findUpstream(ctx, skill);
  const { read, notes } = await readFolder(ctx, upstream);
  const { version } = await requireVersion(ctx, skill.id, upstream.install.digest);
  const manifest = parseJsonColumn(SkillManifest, version.manifest);
  return {
    skillId: skill.id,
    against: version.digest,
    commit: upstream.entry.commit,
    treeSha: upstream.entry.treeSha,
    files: await diffFiles(
      version.files.map((file) => ({
        ...file,
        isText: file.isText && !isWithheld(ctx.actor, version, file),
        bytes: () => readBlob(ctx, file),
      })),
      read.files.map((file) => sideOf(ctx, file)),
    ),
    changes: declaredChanges(
      { manifest, proposedClass: proposeClass(manifest, version.files).class },
      { manifest: read.manifest, proposedClass: proposeClass(read.manifest, read.files).class },
    ),
    notes: [...new Set([...notes, ...read.diagnostics])],
  };
}

function sideOf(ctx: Ctx, { path, mode, bytes }: SkillFile): DiffSide {
  const isShown = isText(bytes) && !isWithheld(ctx.actor, UNREVIEWED, { path, mode });
  return {
    ...{ path, mode, sha256: sha256Hex(bytes), size: bytes.length, isText: isShown },
    bytes: () => Promise.resolve(bytes),
  };
}
