import type { Ctx } from "@/lib/db/context";
import type { Prisma } from "@/lib/db/generated/client";
import type { CatalogSourceStatus } from "../schema";

/** Not its reasons for skipped folders, which are long. */
const SHOWN = {
  id: true,
  label: true,
  owner: true,
  repo: true,
  ref: true,
  defaultBranch: true,
  isPrivate: true,
  repositoryId: true,
  syncedAt: true,
  error: true,
} satisfies Prisma.CatalogSourceSelect;

export type VisibleSource = Omit<Prisma.CatalogSourceGetPayload<{ select: typeof SHOWN }>, "ref" | "defaultBranch"> & {
  /** As the source has it; the default branch's name when it has none. */
  refName: string;
};

/** Sources that are switched on, by label. What the others hold is hidden, and nothing else changes. */
export async function visibleSources(ctx: Ctx): Promise<VisibleSource[]> {
  const rows = await ctx.db.catalogSource.findMany({
    where: { enabled: true },
    select: SHOWN,
    orderBy: [{ label: "asc" }, { id: "asc" }],
  });
  return rows.map(({ ref, defaultBranch, ...row }) => ({ ...row, refName: refNameOf({ ref, defaultBranch }) }));
}

export function refNameOf({ ref, defaultBranch }: { ref: string | null; defaultBranch: string | null }): string {
  return ref ?? defaultBranch ?? "HEAD";
}

export function sourceStatus({ id, label, syncedAt, error }: VisibleSource): CatalogSourceStatus {
  return { id, label, syncedAt: syncedAt?.toISOString() ?? null, error };
}
