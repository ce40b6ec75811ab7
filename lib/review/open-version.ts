import type { Ctx } from "@/lib/db/context";
import { getVersion } from "@/lib/skills/versions/get-version";
import type { Version } from "@/lib/skills/versions/schema";
import { scanFirst } from "./scan-first";

/** One version as a reviewer sees it, scanned first when it was not; the answer says when the scan is still pending. */
export async function openVersion(ctx: Ctx, idOrName: string, digest: string): Promise<Version> {
  await scanFirst(ctx, idOrName, digest);
  return getVersion(ctx, idOrName, digest);
}
