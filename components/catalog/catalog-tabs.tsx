import { useInfiniteQuery } from "@tanstack/react-query";
import { CountBadge } from "@/components/ui/count-badge";
import { TabNav } from "@/components/ui/tab-nav";
import { updatesQuery } from "@/lib/client/catalog";

export function CatalogTabs() {
  const updates = useInfiniteQuery(updatesQuery).data?.pages.flatMap((page) => page.items) ?? [];
  const open = updates.filter(({ state }) => state !== "pending").length;
  return (
    <TabNav
      label="Catalog"
      items={[
        { href: "/catalog", label: "Browse" },
        {
          href: "/catalog/updates",
          label: "Updates",
          aside: <CountBadge count={open} label="updates" />,
        },
      ]}
    />
  );
}
