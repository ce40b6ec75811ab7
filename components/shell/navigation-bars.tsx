"use client";

import { Ellipsis } from "lucide-react";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { useCallback, useEffect, useState } from "react";
import { useMe } from "@/components/state/use-me";
import { useStoredValue } from "@/components/state/use-stored-value";
import { cn } from "@/components/ui/cn";
import { CountBadge } from "@/components/ui/count-badge";
import { Drawer, DrawerContent, DrawerTrigger } from "@/components/ui/drawer";
import { Tooltip } from "@/components/ui/tooltip";
import type { Me } from "@/lib/auth/schema";
import { Logo } from "./logo";
import { isCurrent, type NavigationItem } from "./navigation";
import { sidebarStorageKey } from "./start-script";

export function Sidebar({ items }: { items: readonly NavigationItem[] }) {
  const pathname = usePathname();
  const me = useMe();
  const { isCollapsed } = useSidebar();
  return (
    <aside className="sticky top-0 flex h-dvh w-56 shrink-0 flex-col border-r bg-sidebar max-md:hidden sidebar-collapsed:w-14">
      <Link
        href="/skills"
        className="flex h-(--topbar-height) shrink-0 items-center gap-2 px-4 font-semibold text-sm tracking-tight focus-visible:-outline-offset-2"
      >
        <Logo />
        <span className="truncate sidebar-collapsed:sr-only">{me?.instanceName ?? "Skillgate"}</span>
      </Link>
      <nav aria-label="Main" className="flex min-h-0 flex-1 flex-col gap-0.5 overflow-y-auto px-2 py-2">
        {items.map((item) => (
          <SidebarLink
            key={item.href}
            item={item}
            current={isCurrent(item, pathname)}
            me={me}
            isCollapsed={isCollapsed}
          />
        ))}
      </nav>
      <ServerLine me={me} />
    </aside>
  );
}

type SidebarLinkProps = { item: NavigationItem; current: boolean; me: Me | undefined; isCollapsed: boolean };

function SidebarLink({ item, current, me, isCollapsed }: SidebarLinkProps) {
  const { icon: Icon, count } = item;
  return (
    <Tooltip content={item.label} shortcut={item.shortcut} side="right" enabled={isCollapsed}>
      <Link
        href={item.href}
        aria-current={current ? "page" : undefined}
        className="group relative flex h-8 shrink-0 items-center gap-2.5 rounded-md px-3 text-13 text-muted-foreground hover:bg-accent hover:text-foreground focus-visible:-outline-offset-2 aria-[current=page]:bg-accent aria-[current=page]:font-medium aria-[current=page]:text-foreground"
      >
        <Icon aria-hidden strokeWidth={1.75} className="size-4 shrink-0 group-aria-[current=page]:text-primary" />
        <span className="sidebar-collapsed:sr-only">{item.label}</span>
        {count && me ? (
          <CountBadge
            count={count.of(me)}
            label={count.label}
            tone="warning"
            className="ml-auto sidebar-collapsed:absolute sidebar-collapsed:-top-0.5 sidebar-collapsed:right-0 sidebar-collapsed:h-4 sidebar-collapsed:min-w-4"
          />
        ) : null}
      </Link>
    </Tooltip>
  );
}

function ServerLine({ me }: { me: Me | undefined }) {
  const workers = me?.workersOnline ?? 0;
  return (
    <p className="flex h-9 shrink-0 items-center gap-2 overflow-hidden whitespace-nowrap border-t px-5 text-muted-foreground text-xs">
      {me ? (
        <>
          <span
            aria-hidden
            className={`size-1.5 shrink-0 rounded-full ${workers > 0 ? "bg-success-mark" : "bg-danger-mark"}`}
          />
          <span className="truncate sidebar-collapsed:sr-only">
            {workers === 0 ? "No worker online" : workers === 1 ? "1 worker online" : `${workers} workers online`}
          </span>
          <span className="ml-auto sidebar-collapsed:hidden">{me.version}</span>
        </>
      ) : null}
    </p>
  );
}

/** Whether the sidebar shows icons only. Styles depend on `html[data-sidebar]`. */
export function useSidebar(): { isCollapsed: boolean; toggle: () => void } {
  const [state, setState] = useStoredValue<"open" | "collapsed">(sidebarStorageKey, "open");
  const isCollapsed = state === "collapsed";

  useEffect(() => {
    if (isCollapsed) document.documentElement.setAttribute("data-sidebar", "collapsed");
    else document.documentElement.removeAttribute("data-sidebar");
  }, [isCollapsed]);

  const toggle = useCallback(() => setState(isCollapsed ? "open" : "collapsed"), [isCollapsed, setState]);
  return { isCollapsed, toggle };
}

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
