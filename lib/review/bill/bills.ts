import { AppError } from "@/lib/core/errors";
import { keepParsed } from "@/lib/core/json";
import type { Ctx } from "@/lib/db/context";
import { ORG } from "@/lib/policy/ownership";
import { requireScope } from "@/lib/policy/require-scope";
import { getSettings } from "@/lib/settings/settings";
import { SkillManifest } from "@/lib/skill-format/schema";
import { requireVersion, withFilesAndDecisions } from "@/lib/skills/version-access";
import { type AdvisoryIndex, findVulnerabilities, loadAdvisories } from "./advisories";
import { packageUrl } from "./parse-package";
import type { Bill, BillComponent, ListedPackage, NamedPackage, PackageList } from "./schema";
import { assembleBill, fileComponents, namedComponents, packageRef, readContents, skillComponent } from "./write-bill";

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

/** The packages that a version names or installs, with the advisories about them. */
export async function listPackages(ctx: Ctx, idOrName: string, digest: string): Promise<PackageList> {
  requireScope(ctx.actor, "read");
  const { version } = await requireVersion(ctx, idOrName, digest);
  const { packages } = await readContents(ctx, version);
  const { facts, index } = await loadAdvisories(ctx);
  const items = packages.map((named): ListedPackage => {
    const found = findVulnerabilities(named, index);
    const advisories = found.map(({ record: { id, summary = null }, affected, fixedIn }) => ({
      ...{ id, summary, affected, fixedIn },
    }));
    return { ...named, purl: packageUrl(named), advisories };
  });
  items.sort((a, b) => rankOf(a) - rankOf(b));
  return { items, nextCursor: null, advisories: facts };
}

function rankOf({ advisories, version }: ListedPackage): number {
  if (advisories.some(({ affected }) => affected === "yes")) return 0;
  return advisories.length > 0 ? 1 : version === null ? 2 : 3;
}

type Vulnerable = NonNullable<Bill["vulnerabilities"]>[number];

/** The advisories about packages in the form of CycloneDX: one entry for each advisory. */
function vulnerabilitiesOf(packages: readonly NamedPackage[], index: AdvisoryIndex) {
  const found = new Map<string, Vulnerable>();
  for (const named of packages) {
    for (const { record, fixedIn } of findVulnerabilities(named, index)) {
      const { id, aliases, summary } = record;
      const entry: Vulnerable = found.get(id) ?? {
        ...{ "bom-ref": `advisory:${id}`, id, source: { name: "OSV" } },
        ...(aliases.length === 0
          ? {}
          : { references: aliases.map((alias) => ({ id: alias, source: { name: "OSV" } })) }),
        ...(summary === undefined ? {} : { description: summary }),
        affects: [],
      };
      const ref = packageRef(named);
      const advice = fixedIn === null ? [] : [`Use ${named.name} ${fixedIn} or later.`];
      const told = entry.recommendation === undefined ? [] : [entry.recommendation];
      const all = [...told, ...advice.filter((sentence) => !told.some((known) => known.includes(sentence)))];
      if (all.length > 0) entry.recommendation = all.join(" ");
      if (!entry.affects.some((affected) => affected.ref === ref)) entry.affects.push({ ref });
      found.set(id, entry);
    }
  }
  return [...found.values()];
}
