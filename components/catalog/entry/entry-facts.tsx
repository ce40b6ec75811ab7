import { RevealedText } from "@/components/code/revealed-text";
import { cn } from "@/components/ui/cn";
import { formatBytes } from "@/components/ui/format-bytes";
import type { CatalogItem } from "@/lib/catalog/schema";
import { countOf } from "../../skills/skill-labels";

/** "5 files, 12 KiB · MIT · brings scripts": what is worth knowing before it is opened. */
export function EntryFacts({ item, className }: { item: CatalogItem; className?: string }) {
  const size = `${countOf(item.files, "file")}, ${formatBytes(item.bytes)}`;
  return (
    <span className={cn("truncate", className)} title={[size, item.license].filter(Boolean).join(" · ")}>
      <span className="tabular-nums">{size}</span>
      {item.hasScripts ? <span className="font-medium text-warning"> · scripts</span> : null}
      {" · "}
      {item.license ? <RevealedText text={item.license} /> : "no licence"}
    </span>
  );
}
