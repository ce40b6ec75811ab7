import type { Ctx } from "@/lib/db/context";
import { requireScope } from "@/lib/policy/require-scope";
import { requireVersion } from "@/lib/skills/version-access";
import { type AdvisoryIndex, findVulnerabilities, loadAdvisories } from "./advisories";
import { packageUrl } from "./parse-package";
import type { Bill, ListedPackage, NamedPackage, PackageList } from "./schema";
import { packageRef, readContents } from "./write-bill";

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
export function vulnerabilitiesOf(packages: readonly NamedPackage[], index: AdvisoryIndex) {
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
