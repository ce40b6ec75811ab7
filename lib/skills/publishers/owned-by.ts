import type { Prisma } from "@/lib/db/generated/client";
import { ORG } from "@/lib/policy/owner-key";

/** The skills of a publisher: the other direction of `publisherOf`. */
export function ownedBy({ userId }: { userId: string | null }): Prisma.SkillWhereInput {
  if (userId !== null) return { ownerId: userId };
  return {
    OR: [
      { ownerKey: ORG },
      { ownerKey: { startsWith: "persona:" } },
      { ownerKey: { startsWith: "integration:", endsWith: `:${ORG}` } },
    ],
  };
}
