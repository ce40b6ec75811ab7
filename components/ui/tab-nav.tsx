"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import type { ReactNode } from "react";
import { cn } from "./cn";
import { tabListStyles, tabStyles } from "./tab-styles";

type TabNavItem = { href: string; label: string; aside?: ReactNode };

type TabNavProps = { items: readonly TabNavItem[]; label: string; className?: string };

export function TabNav({ items, label, className }: TabNavProps) {
  const pathname = usePathname();
  return (
    <nav aria-label={label} className={cn(tabListStyles, className)}>
      {items.map((item) => {
        const isCurrent = pathname === item.href;
        return (
          <Link
            key={item.href}
            href={item.href}
            // On phones the tabs scroll sideways, and the current one may be out of view.
            ref={isCurrent ? showTab : undefined}
            aria-current={isCurrent ? "page" : undefined}
            data-active={isCurrent}
            className={tabStyles}
          >
            {item.label}
            {item.aside}
          </Link>
        );
      })}
    </nav>
  );
}

function showTab(tab: HTMLElement | null): void {
  const list = tab?.parentElement;
  if (!tab || !list) return;
  const isHidden = tab.offsetLeft + tab.offsetWidth > list.offsetLeft + list.scrollLeft + list.clientWidth;
  if (isHidden) list.scrollLeft = tab.offsetLeft - list.offsetLeft - list.clientWidth + tab.offsetWidth;
}
