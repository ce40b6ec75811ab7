import { AppError } from "@/lib/core/errors";
import { keepParsed } from "@/lib/core/keep-parsed";
import { SkillManifest } from "@/lib/skill-format/schema";
import type { SkillRow } from "@/lib/skills/skill-access";
import type { OverlayWords } from "./schema";

/** What the version that serves says of itself, and its digest. `not_approved` when none serves. */
export function wordsOfSkill(skill: SkillRow): { digest: string; words: OverlayWords } {
  if (!skill.current) {
    throw new AppError("not_approved", `“${skill.name}” has no approved version that an overlay could speak of.`);
  }
  const { description, overlay } = keepParsed(SkillManifest, skill.current.manifest);
  return { digest: skill.current.digest, words: { description, fewShot: overlay?.fewShot ?? [] } };
}
