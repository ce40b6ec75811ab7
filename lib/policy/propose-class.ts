import { isScript } from "@/lib/skill-format/is-script";
import type { SkillClass, SkillManifest } from "@/lib/skill-format/schema";

import { classOfCapabilities } from "./class-vocabulary";
import { highestClass } from "./signatures-needed";

export type ClassProposal = { class: SkillClass; reason: string };

/**
 * The class a version gets when its reviewer chooses none: what the author declared; `safe` for a pack that does not say,
 * as its format has it; and for a playbook `mutating` as soon as it brings anything that could be executed. Never less than
 * the capabilities need that it asks for.
 */
export function proposeClass(manifest: SkillManifest, files: { path: string; mode: string }[]): ClassProposal {
  const proposal = proposeByContent(manifest, files);
  const capabilities = [...new Set([...manifest.requiredCapabilities, ...manifest.requirements.capabilities])];
  const needed = classOfCapabilities(capabilities);
  if (highestClass(proposal.class, needed) === proposal.class) return proposal;
  const reasons = capabilities.filter((id) => classOfCapabilities([id]) === needed);
  return { class: needed, reason: `it asks for ${reasons.join(", ")}` };
}

function proposeByContent(manifest: SkillManifest, files: { path: string; mode: string }[]): ClassProposal {
  if (manifest.declaredClass) return { class: manifest.declaredClass, reason: "declared by its author" };
  if (manifest.kind === "pack") return { class: "safe", reason: "not declared; a pack without a class counts as safe" };
  const script = files.find(isScript);
  if (script) return { class: "mutating", reason: `not declared; it brings a script, ${script.path}` };
  if (manifest.hooks !== null || manifest.meta.hooks !== undefined) {
    return { class: "mutating", reason: "not declared; it declares hooks" };
  }
  if (manifest.inlineCommands.length > 0 || /(^|\s)!`[^`]+`|```!/.test(manifest.body)) {
    return { class: "mutating", reason: "not declared; its playbook runs inline commands" };
  }
  return { class: "safe", reason: "not declared; it is a playbook without scripts, hooks or inline commands" };
}
