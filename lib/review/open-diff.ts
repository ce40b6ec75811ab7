import type { Ctx } from "@/lib/db/context";
import { diffVersions } from "@/lib/skills/versions/diff-versions";
import type { VersionDiff } from "@/lib/skills/versions/schema";
import { scanFirst } from "./scan-first";

/**
 * What a version changes against another, or against the one that serves. Both are scanned first when they were not: hosts
 * and findings are known from scans only, and a draft whose new host is not told would look harmless.
 */
export async function openDiff(ctx: Ctx, idOrName: string, digest: string, against?: string): Promise<VersionDiff> {
  await scanFirst(ctx, idOrName, digest);
  if (against !== undefined) await scanFirst(ctx, idOrName, against);
  return diffVersions(ctx, idOrName, digest, against);
}
