"use client";

import { Ellipsis } from "lucide-react";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { useState } from "react";
import { useMe } from "@/components/state/use-me";
import { cn } from "@/components/ui/cn";
import { CountBadge } from "@/components/ui/count-badge";
import { Drawer, DrawerContent, DrawerTrigger } from "@/components/ui/drawer";
import type { Me } from "@/lib/auth/schema";
import { isCurrent, type NavigationItem } from "./navigation";

const maxEntries = 5;
const entryStyles =
  "relative flex min-w-0 flex-1 flex-col items-center justify-center gap-0.5 text-muted-foreground text-xs focus-visible:-outline-offset-2 aria-[current=page]:font-medium aria-[current=page]:text-primary";

export function BottomBar({ items }: { items: readonly NavigationItem[] }) {
  const pathname = usePathname();
  const me = useMe();
  const direct = items.length > maxEntries ? items.slice(0, maxEntries - 1) : items;
  const rest = items.slice(direct.length);
  return (
    <nav
      aria-label="Main"
      className="fixed inset-x-0 bottom-0 z-40 flex h-(--bottombar-height) border-t bg-background pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      {direct.map((item) => (
        <Entry key={item.href} item={item} current={isCurrent(item, pathname)} me={me} />
      ))}
      {rest.length > 0 ? <More items={rest} pathname={pathname} me={me} /> : null}
    </nav>
  );
}

function Entry({ item, current, me }: { item: NavigationItem; current: boolean; me: Me | undefined }) {
  const { icon: Icon, count } = item;
  return (
    <Link href={item.href} aria-current={current ? "page" : undefined} className={entryStyles}>
      <Icon aria-hidden strokeWidth={1.75} className="size-5" />
      <span className="max-w-full truncate px-1">{item.label}</span>
      {count && me ? (
        <CountBadge
          count={count.of(me)}
          label={count.label}
          tone="warning"
          className="absolute top-1 left-1/2 ml-2 h-4 min-w-4"
        />
      ) : null}
    </Link>
  );
}

function More({ items, pathname, me }: { items: readonly NavigationItem[]; pathname: string; me: Me | undefined }) {
  const [open, setOpen] = useState(false);
  const holdsCurrent = items.some((item) => isCurrent(item, pathname));
  return (
    <Drawer open={open} onOpenChange={setOpen}>
      <DrawerTrigger className={cn(entryStyles, holdsCurrent && "font-medium text-primary")}>
        <Ellipsis aria-hidden className="size-5" />
        More
      </DrawerTrigger>
      <DrawerContent title="More">
        <ul className="-mx-2">
          {items.map(({ href, label, icon: Icon, hint, count }) => (
            <li key={href}>
              <Link
                href={href}
                onClick={() => setOpen(false)}
                className="flex min-h-12 items-center gap-3 rounded-md px-2 hover:bg-accent"
              >
                <Icon aria-hidden strokeWidth={1.75} className="size-5 text-muted-foreground" />
                <span>
                  <span className="block font-medium">{label}</span>
                  <span className="block text-muted-foreground text-xs">{hint}</span>
                </span>
                {count && me ? (
                  <CountBadge count={count.of(me)} label={count.label} tone="warning" className="ml-auto" />
                ) : null}
              </Link>
            </li>
          ))}
        </ul>
      </DrawerContent>
    </Drawer>
  );
}
