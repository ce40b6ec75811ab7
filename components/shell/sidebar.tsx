"use client";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { useCallback, useEffect } from "react";
import { useMe } from "@/components/state/use-me";
import { useStoredValue } from "@/components/state/use-stored-value";
import { CountBadge } from "@/components/ui/count-badge";
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
