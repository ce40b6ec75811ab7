import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { countImported, countSkills, countStoredBytes, DAY_MS } from "./count-usage";
import { quotasOf } from "./quotas-of";

const MIB = 1024 * 1024;

/** A version that is about to be stored: who brings it in, whose skill it is (null: not one person's), and what it adds. */
type Addition = { authorId: string; ownerId: string | null; bytes: number; isNewSkill: boolean };

/**
 * Throws when a version would be more than a person may have or bring in: `quota_exceeded` for the number and the size of
 * their skills, `rate_limited` for what they bring in within a day; the quota is the rule. To be asked in the transaction
 * that stores it.
 */
export async function assertSkillQuota(ctx: Ctx, { authorId, ownerId, bytes, isNewSkill }: Addition): Promise<void> {
  if (ownerId !== null) await assertOwnerHasRoom(ctx, ownerId, bytes, isNewSkill);
  const { importMiBPerDay } = await quotasOf(ctx, authorId);
  if (importMiBPerDay === 0) return;
  const { used, first } = await countImported(ctx, authorId);
  if (used + bytes <= importMiBPerDay * MIB) return;
  const freesAt = (first ?? ctx.now()).getTime() + DAY_MS;
  throw new AppError(
    "rate_limited",
    `You may bring in ${importMiBPerDay} MiB within 24 hours, and this would make ${inMiB(used + bytes)}. It begins to free at ${new Date(freesAt).toISOString()}.`,
    { rule: "importMiBPerDay", retryAfterSeconds: Math.max(1, (freesAt - ctx.now().getTime()) / 1000) },
  );
}

async function assertOwnerHasRoom(ctx: Ctx, ownerId: string, bytes: number, isNewSkill: boolean): Promise<void> {
  const { skillsPerPerson, skillMiBPerPerson } = await quotasOf(ctx, ownerId);
  if (isNewSkill && skillsPerPerson > 0 && (await countSkills(ctx, ownerId)) >= skillsPerPerson) {
    throw new AppError(
      "quota_exceeded",
      `One person may own ${skillsPerPerson} skills. Delete one, or ask an admin for more.`,
      { rule: "skillsPerPerson" },
    );
  }
  if (skillMiBPerPerson === 0) return;
  const after = (await countStoredBytes(ctx, ownerId)) + bytes;
  if (after <= skillMiBPerPerson * MIB) return;
  throw new AppError(
    "quota_exceeded",
    `The skills of one person may take ${skillMiBPerPerson} MiB, and this would make ${inMiB(after)}. Delete some, or ask an admin for more.`,
    { rule: "skillMiBPerPerson" },
  );
}

function inMiB(bytes: number): string {
  return `${(bytes / MIB).toFixed(1)} MiB`;
}
