import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import type { RepositoryPlace } from "../github/parse-repository-url";

/** Refuses a second source for the same folder of the same ref with `conflict`. Names count without their case, as on GitHub. */
export async function assertNewPlace(
  ctx: Ctx,
  place: Omit<RepositoryPlace, "repoUrl">,
  except?: string,
): Promise<void> {
  const others = await ctx.db.catalogSource.findMany({ where: { ref: place.ref, folder: place.folder } });
  const same = others.find(
    (other) =>
      other.id !== except &&
      `${other.owner}/${other.repo}`.toLowerCase() === `${place.owner}/${place.repo}`.toLowerCase(),
  );
  if (same) throw new AppError("conflict", `The source “${same.label}” has this repository, ref and folder already.`);
}
