import { Badge } from "@/components/ui/badge";
import type { CatalogItem } from "@/lib/catalog/schema";
import { installStateOf } from "../catalog-labels";

/** Installed, outdated, or not installable; nothing for what can simply be installed. */
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
