import type { SkillClass, SkillManifest } from "@/lib/skill-format/schema";

export type ClassProposal = { class: SkillClass; reason: string };

const SCRIPT =
  /\.(sh|bash|zsh|fish|py|js|mjs|cjs|ts|mts|cts|rb|pl|ps1|psm1|bat|cmd|php|lua|r|jl|awk|applescript|exe|jar)$/i;

/** Whether a file could be executed: by its mode, or by the ending of its name. */
export function isScript(file: { path: string; mode: string }): boolean {
  return file.mode === "755" || SCRIPT.test(file.path);
}

/**
 * The class a version gets when its reviewer chooses none: what the author declared; `safe` for a pack that does not say,
 * as its format has it; and for a playbook `mutating` as soon as it brings anything that could be executed.
 */
export function proposeClass(manifest: SkillManifest, files: { path: string; mode: string }[]): ClassProposal {
  if (manifest.declaredClass) return { class: manifest.declaredClass, reason: "declared by its author" };
  if (manifest.kind === "pack") return { class: "safe", reason: "not declared; a pack without a class counts as safe" };
  const script = files.find(isScript);
  if (script) return { class: "mutating", reason: `not declared; it brings a script, ${script.path}` };
  if (manifest.hooks !== null || manifest.meta.hooks !== undefined) {
    return { class: "mutating", reason: "not declared; it declares hooks" };
  }
  if (manifest.inlineCommands.length > 0 || /(^|\s)!`[^`\n]+`/.test(manifest.body)) {
    return { class: "mutating", reason: "not declared; its playbook runs inline commands" };
  }
  return { class: "safe", reason: "not declared; it is a playbook without scripts, hooks or inline commands" };
}
