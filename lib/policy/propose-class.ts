import { changesThings } from "@/lib/skill-format/dialects/tools";
import { executablesOf } from "@/lib/skill-format/executables";
import type { Executable, SkillClass, SkillManifest } from "@/lib/skill-format/schema";
import { highestClass } from "./signatures-needed";

type ClassProposal = { class: SkillClass; reason: string };
type Files = { path: string; mode: string }[];

/**
 * The class a version gets when its reviewer chooses none: what the author declared; `safe` for a pack that does not say,
 * as its format has it; and for a playbook `mutating` as soon as it carries anything that could be executed, or grants tools
 * that run commands or write. With a file that a client takes commands from it is not `safe` either where its author says so. Never less than the capabilities need that it asks for, unless it is a playbook without scripts:
 * its text asks an agent to do something, and the agent's own tools decide about that.
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
  // What its SKILL.md says its author had before them when they declared the class; a file of a client speaks for itself.
  const beside = carried.find(({ by, path }) => by === "client" && path.toLowerCase() !== "skill.md");
  if (declaredClass === "safe" && beside) {
    return { class: "mutating", reason: `declared safe, and it brings ${beside.what}, in ${beside.path}` };
  }
  if (declaredClass) return { class: declaredClass, reason: "declared by its author" };
  if (manifest.kind === "pack" && !ofClient) {
    return { class: "safe", reason: "not declared; a pack without a class counts as safe" };
  }
  const script = carried.find(({ by }) => by === "hand");
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
  if (ofClient) return { class: "mutating", reason: `not declared; it brings ${ofClient.what}, in ${ofClient.path}` };
  return {
    class: "safe",
    reason: "not declared; it is a playbook without scripts, hooks, inline commands and tools that change things",
  };
}

type ClassWords = {
  /** The word of tool lists that speak of access. */
  access: "read" | "write" | "destructive";
  /** What runs of the class do, for the person who decides. */
  meaning: string;
  /** Ids of capabilities, in the vocabularies in use, that need at least this class. */
  capabilities: readonly string[];
};

/** The classes and every other vocabulary that says the same, in one table. */
export const CLASS_WORDS: Record<SkillClass, ClassWords> = {
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
    meaning: "It changes things, which as a rule can be undone.",
    capabilities: ["filesystem.write", "filesystem.edit", "filesystem:write", "memory:write"],
  },
  dangerous: {
    access: "destructive",
    meaning: "It can destroy or expose things for good.",
    capabilities: ["shell.exec", "shell:execute", "network:listen"],
  },
};

const CLASSES = Object.keys(CLASS_WORDS) as SkillClass[];

/** The class of a word of any vocabulary: a class, an access word or a capability id; null for an unknown word. */
export function classOfWord(word: string): SkillClass | null {
  const wanted = word.trim().toLowerCase();
  return (
    CLASSES.find((name) => {
      const { access, capabilities } = CLASS_WORDS[name];
      return name === wanted || access === wanted || capabilities.includes(wanted);
    }) ?? null
  );
}

/** The class that some capabilities need together. An unknown id counts as `dangerous`: nobody knows what it allows. */
export function classOfCapabilities(ids: string[]): SkillClass {
  return highestClass("safe", ...ids.map((id) => classOfWord(id) ?? "dangerous"));
}
