import { RevealedText } from "@/components/code/revealed-text";
import { Notice } from "@/components/ui/notice";
import type { CatalogItem } from "@/lib/catalog/schema";

/** Why an entry cannot be installed. */
export function EntryNotices({ item }: { item: CatalogItem }) {
  return (
    <>
      {item.blocked ? (
        <Notice tone="danger" title="It cannot be installed">
          <RevealedText text={item.blocked.reason} /> <code className="text-xs">{item.blocked.code}</code>
        </Notice>
      ) : null}
      {item.state === "removed" ? (
        <Notice tone="warning" title="Removed upstream">
          The repository no longer holds it.{" "}
          {item.installed ? "What is installed stays as it is." : "It can no longer be installed."}
        </Notice>
      ) : null}
    </>
  );
}
