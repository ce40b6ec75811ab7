import { AppError } from "@/lib/core/errors";
import { keepParsed } from "@/lib/core/json";
import type { Ctx } from "@/lib/db/context";
import { ORG } from "@/lib/policy/ownership";
import { requireScope } from "@/lib/policy/require-scope";
import { getSettings } from "@/lib/settings/settings";
import { SkillManifest } from "@/lib/skill-format/schema";
import { requireVersion, withFilesAndDecisions } from "@/lib/skills/version-access";
import { loadAdvisories } from "./advisories";
import { vulnerabilitiesOf } from "./list-packages";
import type { Bill, BillComponent, NamedPackage } from "./schema";
import { assembleBill, fileComponents, namedComponents, readContents, skillComponent } from "./write-bill";

/** What a version consists of and names: files, packages, programs, models, tools. */
export async function exportBill(ctx: Ctx, idOrName: string, digest: string): Promise<Bill> {
  requireScope(ctx.actor, "read");
  const { skill, version } = await requireVersion(ctx, idOrName, digest);
  const manifest = keepParsed(SkillManifest, version.manifest);
  const contents = await readContents(ctx, version);
  const component = skillComponent({ skill, digest: version.digest, number: version.number, manifest });
  const components = [...fileComponents(version.files), ...namedComponents({ manifest, contents })];
  return assembleBill({
    ...{ about: `${skill.id} ${version.digest}`, at: version.createdAt, component, components },
    dependencies: [{ ref: refOf(component), dependsOn: components.map(refOf) }],
    vulnerabilities: vulnerabilitiesOf(contents.packages, (await loadAdvisories(ctx)).index),
  });
}

const MAX_SKILLS = 2000;
const BATCH = 500;

/** The active versions of the organisation's skills, and what they name. For reviewers and admins. */
export async function exportOrganisationBill(ctx: Ctx): Promise<Bill> {
  requireScope(ctx.actor, "review");
  const wanted = await ctx.db.skill.findMany({
    where: {
      ...{ deletedAt: null, listed: true, current: { state: "approved" } },
      OR: [{ ownerKey: ORG }, { ownerKey: { startsWith: "integration:", endsWith: `:${ORG}` } }],
    },
    select: { id: true },
    orderBy: { name: "asc" },
    take: MAX_SKILLS + 1,
  });
  if (wanted.length > MAX_SKILLS)
    throw new AppError(
      "too_large",
      `The organisation has more than ${MAX_SKILLS} approved skills. Read the bill of each version.`,
    );
  const { instanceName } = await getSettings(ctx);
  const about: BillComponent = { type: "application", "bom-ref": "organisation", name: instanceName };
  const all = new Map<string, BillComponent>();
  const dependencies: Bill["dependencies"] = [];
  const packages: NamedPackage[] = [];
  for await (const { current, ...skill } of loadInBatches(ctx, wanted)) {
    if (current === null) continue;
    const manifest = keepParsed(SkillManifest, current.manifest);
    const contents = await readContents(ctx, current);
    const component = skillComponent({ skill, digest: current.digest, number: current.number, manifest });
    // Places are in the bill of the version.
    const names = namedComponents({ manifest, contents }).map(({ evidence, ...rest }) => rest);
    for (const part of [component, ...names]) if (!all.has(refOf(part))) all.set(refOf(part), part);
    packages.push(...contents.packages);
    dependencies.push({ ref: refOf(component), dependsOn: names.map(refOf) });
  }
  const skills = dependencies.map(({ ref }) => ref);
  return assembleBill({
    ...{ about: `organisation ${skills.join(" ")}`, at: ctx.now(), component: about, components: [...all.values()] },
    dependencies: [{ ref: "organisation", dependsOn: skills }, ...dependencies],
    vulnerabilities: vulnerabilitiesOf(packages, (await loadAdvisories(ctx)).index),
  });
}

/** Prisma reads what belongs to more than 999 rows in a transaction, which the reading connection does not allow. */
async function* loadInBatches(ctx: Ctx, wanted: readonly { id: string }[]) {
  for (let from = 0; from < wanted.length; from += BATCH) {
    const ids = wanted.slice(from, from + BATCH).map(({ id }) => id);
    yield* await ctx.db.skill.findMany({
      where: { id: { in: ids } },
      include: { current: { include: withFilesAndDecisions } },
      orderBy: { name: "asc" },
    });
  }
}

function refOf(component: BillComponent): string {
  return component["bom-ref"];
}
