import type { SkillClass } from "@/lib/skill-format/schema";
import { highestClass } from "./signatures-needed";

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
