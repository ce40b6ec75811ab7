import { RevealedText } from "@/components/code/revealed-text";
import { Digest } from "@/components/ui/digest";
import { RelativeTime } from "@/components/ui/relative-time";
import type { CatalogItem } from "@/lib/catalog/schema";
import { repositoryOf } from "../catalog-labels";

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
