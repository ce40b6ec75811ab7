import { parseToolPattern } from "@/lib/skill-format/allowed-tools";
import { isScript } from "@/lib/skill-format/is-script";
import type { SkillClass, SkillManifest } from "@/lib/skill-format/schema";
import { findTool } from "@/lib/skill-format/tool-aliases";
import { classOfCapabilities } from "./class-vocabulary";
import { highestClass } from "./signatures-needed";

export type ClassProposal = { class: SkillClass; reason: string };
type Files = { path: string; mode: string }[];

/**
 * The class a version gets when its reviewer chooses none: what the author declared; `safe` for a pack that does not say,
 * as its format has it; and for a playbook `mutating` as soon as it carries anything that could be executed, or grants tools
 * that run commands or write. Never less than the capabilities need that it asks for, unless it is a playbook without scripts:
 * its text asks an agent to do something, and the agent's own tools decide about that.
 */
export function proposeClass(manifest: SkillManifest, files: Files): ClassProposal {
  const proposal = proposeByContent(manifest, files);
  if (manifest.kind === "playbook" && !files.some(isScript)) return proposal;
  const capabilities = [...new Set([...manifest.requiredCapabilities, ...manifest.requirements.capabilities])];
  const needed = classOfCapabilities(capabilities);
  if (highestClass(proposal.class, needed) === proposal.class) return proposal;
  const reasons = capabilities.filter((id) => classOfCapabilities([id]) === needed);
  return { class: needed, reason: `it asks for ${reasons.join(", ")}` };
}

function proposeByContent(manifest: SkillManifest, files: Files): ClassProposal {
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
  const granted = manifest.allowedTools?.find(changesThings);
  if (granted !== undefined) {
    return { class: "mutating", reason: `not declared; its allowed-tools let agents use ${granted} without asking` };
  }
  return {
    class: "safe",
    reason: "not declared; it is a playbook without scripts, hooks, inline commands and tools that change things",
  };
}

const CHANGING = new Set(["run_command", "write_file", "edit_file", "edit_notebook"]);

/** Whether a pattern of `allowed-tools` lets an agent run commands or write, in the words of any agent. */
function changesThings(pattern: string): boolean {
  const { tool } = parseToolPattern(pattern);
  return tool === "*" || CHANGING.has(findTool(tool)?.id ?? "");
}
