import { changesThings } from "@/lib/skill-format/dialects/tools";
import { executablesOf } from "@/lib/skill-format/executables";
import type { Executable, SkillClass, SkillManifest } from "@/lib/skill-format/schema";
import { highestClass } from "./signatures-needed";

type ClassProposal = { class: SkillClass; reason: string };
type Files = { path: string; mode: string }[];

/**
 * The class of a version when its reviewer chooses none: the declared class; `safe` for a pack that declares none; for a
 * playbook `mutating` when it contains anything executable or grants tools that run commands or write. A version with a file
 * that a client executes is never proposed as `safe`, unless that file is its SKILL.md. The requested capabilities set a
 * minimum, except for playbooks without scripts: those only instruct an agent, whose own tools decide.
 */
export function proposeClass(manifest: SkillManifest, files: Files): ClassProposal {
  const carried = executablesOf(manifest, files);
  const proposal = proposeByContent(manifest, carried);
  if (manifest.kind === "playbook" && !carried.some(({ by }) => by === "hand")) return proposal;
  const capabilities = [...new Set([...manifest.requiredCapabilities, ...manifest.requirements.capabilities])];
  const needed = classOfCapabilities(capabilities);
  if (highestClass(proposal.class, needed) === proposal.class) return proposal;
  const reasons = capabilities.filter((id) => classOfCapabilities([id]) === needed);
  return { class: needed, reason: `it asks for ${reasons.join(", ")}` };
}

function proposeByContent(manifest: SkillManifest, carried: Executable[]): ClassProposal {
  const { declaredClass } = manifest;
  const ofClient = carried.find(({ by }) => by === "client");
  // The author saw SKILL.md when declaring the class; other client files may contain more.
  const beside = carried.find(({ by, path }) => by === "client" && path.toLowerCase() !== "skill.md");
  if (declaredClass === "safe" && beside) {
    return { class: "mutating", reason: `declared safe, but it contains ${beside.what}, in ${beside.path}` };
  }
  if (declaredClass) return { class: declaredClass, reason: "declared by its author" };
  if (manifest.kind === "pack" && !ofClient) {
    return { class: "safe", reason: "not declared; a pack without a class counts as safe" };
  }
  const script = carried.find(({ by }) => by === "hand");
  if (script) return { class: "mutating", reason: `not declared; it contains a script, ${script.path}` };
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
  if (ofClient) return { class: "mutating", reason: `not declared; it contains ${ofClient.what}, in ${ofClient.path}` };
  return {
    class: "safe",
    reason: "not declared; it is a playbook without scripts, hooks, inline commands and tools that change data",
  };
}

type ClassTerms = {
  access: "read" | "write" | "destructive";
  meaning: string;
  capabilities: readonly string[];
};

/** The classes with the equivalent terms of other vocabularies. */
export const CLASS_TERMS: Record<SkillClass, ClassTerms> = {
  safe: {
    access: "read",
    meaning: "It reads and changes nothing.",
    capabilities: [
      "filesystem.list",
      "filesystem.read",
      "filesystem:read",
      "text.search",
      "network:fetch",
      "memory:read",
      "engine:inference",
    ],
  },
  mutating: {
    access: "write",
    meaning: "It changes data; changes can usually be undone.",
    capabilities: ["filesystem.write", "filesystem.edit", "filesystem:write", "memory:write"],
  },
  dangerous: {
    access: "destructive",
    meaning: "It can destroy or expose data permanently.",
    capabilities: ["shell.exec", "shell:execute", "network:listen"],
  },
};

const CLASSES = Object.keys(CLASS_TERMS) as SkillClass[];

/** The class of a class name, access term or capability id; null for an unknown term. */
export function classOfTerm(word: string): SkillClass | null {
  const wanted = word.trim().toLowerCase();
  return (
    CLASSES.find((name) => {
      const { access, capabilities } = CLASS_TERMS[name];
      return name === wanted || access === wanted || capabilities.includes(wanted);
    }) ?? null
  );
}

/** The highest class that these capabilities need. An unknown id counts as `dangerous`. */
export function classOfCapabilities(ids: string[]): SkillClass {
  return highestClass("safe", ...ids.map((id) => classOfTerm(id) ?? "dangerous"));
}
