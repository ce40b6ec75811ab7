import { fetchExport } from "@/lib/client/skills";
import type { Skill } from "@/lib/skills/schema";

/** Saves the stored bytes of skills: one as it is, several as one zip with a folder each, which can be imported again. */
export async function exportSkills(skills: readonly Skill[]): Promise<void> {
  const [only] = skills;
  if (!only) return;
  if (skills.length === 1) {
    const blob = await fetchExport(only.id);
    save(blob, isZip(blob) ? `${only.slug}.zip` : "SKILL.md");
    return;
  }
  const { default: JSZip } = await import("jszip");
  const zip = new JSZip();
  for (const skill of skills) {
    const blob = await fetchExport(skill.id);
    if (isZip(blob)) await zip.loadAsync(blob);
    else zip.file(`${skill.slug}/SKILL.md`, blob);
  }
  // The executable bits are in the entries' permissions, which only this platform writes.
  save(await zip.generateAsync({ type: "blob", platform: "UNIX", compression: "DEFLATE" }), "skills.zip");
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
