import type { Ctx } from "@/lib/db/context";
import type { SkillFile } from "@/lib/skill-format/archive/skill-file";
import { readBlob } from "./read-blob";
import type { VersionRow } from "./version-access";

/** The stored files of a version with their bytes, each checked against its hash (`version_tampered`). */
export async function readVersionFiles(ctx: Ctx, version: Pick<VersionRow, "files">): Promise<SkillFile[]> {
  const files: SkillFile[] = [];
  for (const file of version.files) {
    const { path, mode } = file;
    files.push({ path, mode: mode === "755" ? "755" : "644", bytes: await readBlob(ctx, file) });
  }
  return files;
}
