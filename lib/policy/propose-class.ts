import type { SkillClass, SkillManifest } from "@/lib/skill-format/schema";

type Proposal = { class: SkillClass; reason: string };

/**
 * The class a version gets when its reviewer chooses none: what the author declared; `safe` for a pack that does not say,
 * as its format has it; and for a playbook `mutating` as soon as it brings anything that could be executed.
 */
export function proposeClass(manifest: SkillManifest, files: { path: string; mode: string }[]): Proposal {
  if (manifest.declaredClass) return { class: manifest.declaredClass, reason: "declared by its author" };
  if (manifest.kind === "pack") return { class: "safe", reason: "not declared; a pack without a class counts as safe" };
  const script = files.find(
    (file) => file.mode === "755" || /\.(sh|bash|py|js|mjs|cjs|ts|rb|pl|ps1|php)$/i.test(file.path),
  );
  if (script) return { class: "mutating", reason: `it brings a script, ${script.path}` };
  if (manifest.meta.hooks !== undefined) return { class: "mutating", reason: "it declares hooks" };
  if (/(^|\s)!`[^`\n]+`/.test(manifest.body)) return { class: "mutating", reason: "its playbook runs inline commands" };
  return { class: "safe", reason: "it is a playbook without scripts, hooks or inline commands" };
}
