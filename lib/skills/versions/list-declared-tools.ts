import { parseJsonColumn } from "@/lib/core/json";
import type { Ctx } from "@/lib/db/context";
import { SkillManifest } from "@/lib/skill-format/schema";
import { type ReleasedBuiltin, releaseManifest } from "@/lib/skills/approval/release-manifest";
import { ORG } from "@/lib/skills/skill-access";
import { requireVersion } from "@/lib/skills/version-access";
import type { DeclaredToolList, ResolvedTool } from "./schema";

/** The declared tools of a version, with their implementations on this server. */
export async function listDeclaredTools(ctx: Ctx, idOrName: string, digest: string): Promise<DeclaredToolList> {
  const { version } = await requireVersion(ctx, idOrName, digest);
  return { items: await resolveDeclaredTools(ctx, parseJsonColumn(SkillManifest, version.manifest)) };
}

/**
 * Resolves the tools of a manifest: `impl: builtin:NAME` is the built-in of this release with that name, in any
 * notation (`builtin:prom.QueryPromQL` is `query_promql`). `skillId`: the skill whose active version has its bytes;
 * null with a `problem` when there is none. Tools without such an `impl` have neither.
 */
export async function resolveDeclaredTools(ctx: Ctx, { tools }: Pick<SkillManifest, "tools">): Promise<ResolvedTool[]> {
  if (tools.length === 0) return [];
  const { builtins } = await releaseManifest();
  const byName = new Map(builtins.map((builtin) => [folded(builtin.name), builtin]));
  const wanted = tools.map(({ impl }) => ({ name: nameIn(impl), builtin: byName.get(folded(nameIn(impl) ?? "")) }));
  const skills = await findServing(
    ctx,
    wanted.flatMap(({ builtin }) => builtin ?? []),
  );
  return tools.map(({ name, impl, class: toolClass, description }, index) => {
    const { name: asked = null, builtin } = wanted[index] ?? {};
    const tool = { name, impl, class: toolClass, description };
    if (asked === null) return { ...tool, builtin: null, skillId: null, problem: null };
    if (!builtin) {
      const problem = `This release has no built-in “${asked}”, so the tool “${name}” cannot be used.`;
      return { ...tool, builtin: null, skillId: null, problem };
    }
    const skillId = skills.get(builtin.digest) ?? null;
    const problem =
      skillId === null
        ? `The built-in ${builtin.name} is not available: no worker reported it, or its approval was revoked.`
        : null;
    return { ...tool, builtin: builtin.name, skillId, problem };
  });
}

/** The name after `builtin:` without its namespace; null for other implementations. */
function nameIn(impl: string | null): string | null {
  const name = /^builtin:(.*)$/i.exec(impl?.trim() ?? "")?.[1];
  return name === undefined ? null : (name.split(/[./:]/).at(-1) ?? "");
}

function folded(name: string): string {
  return name.replace(/[^A-Za-z0-9]/g, "").toLowerCase();
}

async function findServing(ctx: Ctx, builtins: ReleasedBuiltin[]): Promise<Map<string, string>> {
  if (builtins.length === 0) return new Map();
  const digests = [...new Set(builtins.map(({ digest }) => digest))];
  const rows = await ctx.db.skill.findMany({
    where: { ownerKey: ORG, source: "worker", deletedAt: null, current: { digest: { in: digests } } },
    select: { id: true, current: { select: { digest: true } } },
  });
  return new Map(rows.flatMap(({ id, current }) => (current ? [[current.digest, id] as const] : [])));
}
