import { useQuery } from "@tanstack/react-query";
import { TriangleAlert } from "lucide-react";
import { RevealedText } from "@/components/code/hidden-notice";
import { countOf } from "@/components/skills/skill-labels";
import { errorText } from "@/components/state/describe-error";
import { RelativeTime } from "@/components/ui/relative-time";
import { SkeletonRows } from "@/components/ui/skeleton";
import { packagesQuery } from "@/lib/client/evidence";
import type { ListedPackage, PackageList } from "@/lib/review/bill/schema";

type PackagesPanelProps = {
  skillId: string;
  digest: string;
  onOpen: (path: string, line?: number) => void;
};

/** The packages that a version names or installs: vulnerable and unpinned ones first. Load it with next/dynamic. */
export function PackagesPanel({ skillId, digest, onOpen }: PackagesPanelProps) {
  const query = useQuery(packagesQuery(skillId, digest));
  if (query.error) return <p className="text-13 text-danger">{errorText(query.error)}</p>;
  if (!query.data) return <SkeletonRows label="Loading packages" />;
  const { items, advisories } = query.data;
  if (items.length === 0) return <p className="text-13 text-muted-foreground">The files name no packages.</p>;
  const notable = items.filter((item) => item.advisories.length > 0 || item.version === null);
  const others = items.filter((item) => !notable.includes(item));
  return (
    <div className="flex flex-col gap-2 text-13">
      {notable.length > 0 ? <Packages items={notable} onOpen={onOpen} /> : null}
      {others.length > 0 ? (
        <details>
          <summary className="w-fit cursor-pointer rounded-sm underline underline-offset-2">
            {countOf(others.length, "pinned package")} without an advisory
          </summary>
          <div className="mt-2">
            <Packages items={others} onOpen={onOpen} />
          </div>
        </details>
      ) : null}
      <Compared advisories={advisories} />
    </div>
  );
}

function Packages({ items, onOpen }: { items: readonly ListedPackage[]; onOpen: PackagesPanelProps["onOpen"] }) {
  return (
    <ul className="flex flex-col gap-2">
      {items.map((item) => (
        <li
          key={`${item.purl} ${item.asked} ${item.path} ${item.line}`}
          className="flex items-start gap-2"
          data-fact=""
        >
          <span className="flex h-5 w-4 shrink-0 items-center justify-center">
            {item.advisories.length > 0 ? <TriangleAlert aria-hidden className="size-4 text-warning" /> : null}
          </span>
          <div className="min-w-0 [overflow-wrap:anywhere]">
            <p>
              <RevealedText text={item.name} /> {item.version ?? "not pinned"}{" "}
              <span className="text-muted-foreground">({item.ecosystem})</span>{" "}
              <button
                type="button"
                className="rounded-sm font-mono text-muted-foreground text-xs underline underline-offset-2 hover:text-foreground"
                onClick={() => onOpen(item.path, item.line)}
              >
                <RevealedText text={item.path} />:{item.line}
              </button>
            </p>
            {item.advisories.map((advisory) => (
              <Advisory key={advisory.id} advisory={advisory} />
            ))}
          </div>
        </li>
      ))}
    </ul>
  );
}

function Advisory({ advisory }: { advisory: ListedPackage["advisories"][number] }) {
  const { id, summary, affected, fixedIn } = advisory;
  return (
    <p className={affected === "yes" ? "text-danger" : "text-muted-foreground"}>
      {affected === "yes" ? "Affected by" : "May be affected by"} <RevealedText text={id} />
      {summary === null ? "" : ": "}
      {summary === null ? null : <RevealedText text={summary} />} {fixedIn === null ? "" : `Fixed in ${fixedIn}.`}
    </p>
  );
}

function Compared({ advisories }: Pick<PackageList, "advisories">) {
  if (advisories === null) {
    return (
      <p className="text-muted-foreground">No advisories are stored. An admin can upload a file of OSV records.</p>
    );
  }
  return (
    <p className="text-muted-foreground">
      Compared with {countOf(advisories.records, "OSV record")}, uploaded <RelativeTime value={advisories.uploadedAt} />
      .
    </p>
  );
}
