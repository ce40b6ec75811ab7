import type { SkillClass } from "@/lib/skill-format/schema";

const CLASSES: Record<string, SkillClass> = {
  safe: "safe",
  mutating: "mutating",
  dangerous: "dangerous",
  read: "safe",
  write: "mutating",
  destructive: "dangerous",
};

/** The class that a word means (`read`, `write` and `destructive` are older words), or null for any other word. */
export function skillClassOf(word: string): SkillClass | null {
  return Object.hasOwn(CLASSES, word) ? (CLASSES[word] ?? null) : null;
}
