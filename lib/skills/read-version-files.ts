import type { Ctx } from "@/lib/db/context";
import type { SkillFile } from "@/lib/skill-format/skill-file";
import { readBlob } from "./get-version-file";
import type { VersionRow } from "./version-access";

/** The stored files of a version with their bytes, each checked against its hash. */
export async function readVersionFiles(ctx: Ctx, version: Pick<VersionRow, "files">): Promise<SkillFile[]> {
  const files: SkillFile[] = [];
  for (const { path, mode, sha256 } of version.files) {
    files.push({ path, mode: mode === "755" ? "755" : "644", bytes: await readBlob(ctx, sha256) });
  }
  return files;
}
