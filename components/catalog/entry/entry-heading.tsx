import { RevealedText } from "@/components/code/hidden-notice";
import { Badge } from "@/components/ui/badge";
import { Digest } from "@/components/ui/digest";
import { Notice } from "@/components/ui/notice";
import { RelativeTime } from "@/components/ui/relative-time";
import type { CatalogItem } from "@/lib/catalog/schema";
import { installStateOf, repositoryOf } from "../catalog-labels";

/** "anthropics/skills@main, commit 3f2c9ab, changed 3 days ago" */
export function EntryOrigin({ item }: { item: CatalogItem }) {
  return (
    <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-13 text-muted-foreground">
      <span className="[overflow-wrap:anywhere]">
        <RevealedText text={`${repositoryOf(item)}@${item.ref}`} />
      </span>
      <span className="inline-flex items-center gap-1">
        commit <Digest value={item.commit} label="commit" />
      </span>
      <span>
        changed <RelativeTime value={item.changedAt} />
      </span>
    </p>
  );
}

/** Why an entry cannot be installed. */
export function EntryNotices({ item }: { item: CatalogItem }) {
  return (
    <>
      {item.blocked ? (
        <Notice tone="danger" title="Not installable">
          <RevealedText text={item.blocked.reason} /> <code className="text-xs">{item.blocked.code}</code>
        </Notice>
      ) : null}
      {item.state === "removed" ? (
        <Notice tone="warning" title="Removed upstream">
          The repository no longer contains it.{" "}
          {item.installed ? "The installed version stays." : "It can no longer be installed."}
        </Notice>
      ) : null}
    </>
  );
}

export function InstallBadge({ item }: { item: CatalogItem }) {
  switch (installStateOf(item)) {
    case "update":
      return <Badge tone="accent">Update available</Badge>;
    case "installed":
      return item.state === "removed" ? <Badge tone="warning">Removed upstream</Badge> : <Badge>Installed</Badge>;
    case "removed":
      return <Badge>Removed upstream</Badge>;
    case "blocked":
      return (
        <Badge tone="danger" title={item.blocked?.reason}>
          Not installable
        </Badge>
      );
    case "new":
      return null;
  }
}
