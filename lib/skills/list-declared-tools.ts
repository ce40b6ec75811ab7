import { parseJsonColumn } from "@/lib/core/json";
import type { Ctx } from "@/lib/db/context";
import { SkillManifest } from "@/lib/skill-format/schema";
import { resolveDeclaredTools } from "./resolve-declared-tools";
import type { DeclaredToolList } from "./schema";
import { requireVersion } from "./version-access";

/** The tools that a version declares, each with what stands behind it here. */
export async function listDeclaredTools(ctx: Ctx, idOrName: string, digest: string): Promise<DeclaredToolList> {
  const { version } = await requireVersion(ctx, idOrName, digest);
  return { items: await resolveDeclaredTools(ctx, parseJsonColumn(SkillManifest, version.manifest)) };
}
