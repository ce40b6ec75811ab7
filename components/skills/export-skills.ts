import { ApiError } from "@/lib/client/api";
import { fetchBulkExport, fetchExport } from "@/lib/client/skills";
import type { Skill } from "@/lib/skills/schema";

/** Ids in one address: servers take no more than 16 KB of it. */
const MOST_SKILLS = 350;

/** Saves the stored bytes of skills: one as it is, several as one zip with a folder each, which can be imported again. */
export async function exportSkills(skills: readonly Skill[]): Promise<void> {
  const [only] = skills;
  if (!only) return;
  if (skills.length === 1) {
    const blob = await fetchExport(only.id);
    save(blob, isZip(blob) ? `${only.slug}.zip` : "SKILL.md");
    return;
  }
  if (skills.length > MOST_SKILLS) {
    const detail = `One export has at most ${MOST_SKILLS} skills; these are ${skills.length}. Select fewer.`;
    throw new ApiError({ status: 413, code: "too_large", detail });
  }
  save(await fetchBulkExport(skills.map(({ id }) => id)), "skills.zip");
}

function isZip(blob: Blob): boolean {
  return blob.type.startsWith("application/zip");
}

function save(blob: Blob, filename: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = filename;
  link.click();
  // At once would cancel the download in some browsers.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
