"use client";

import { ChevronRight } from "lucide-react";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from "react";
import { useMe } from "@/components/state/use-me";
import { cn } from "@/components/ui/cn";
import { navigation } from "./navigation";

const idPattern = /^[0-9a-f]{8}-[0-9a-f-]{27}$/i;

type Named = { pathname: string; crumbs: readonly Crumb[] } | null;

const CrumbsContext = createContext<{ named: Named; setNamed: (named: Named) => void } | null>(null);

export function CrumbsProvider({ children }: { children: ReactNode }) {
  const [named, setNamed] = useState<Named>(null);
  const value = useMemo(() => ({ named, setNamed }), [named]);
  return <CrumbsContext value={value}>{children}</CrumbsContext>;
}

/**
 * Sets the whole breadcrumb trail; without it, the address provides the labels:
 * `useCrumbs([{ label: "Runs", href: "/runs" }, { label: "csv-summary" }])`.
 */
export function useCrumbs(crumbs: readonly Crumb[]): void {
  const pathname = usePathname();
  const setNamed = useContext(CrumbsContext)?.setNamed;
  const key = JSON.stringify(crumbs);
  useEffect(() => {
    setNamed?.({ pathname, crumbs: JSON.parse(key) as Crumb[] });
  }, [pathname, key, setNamed]);
}

/** The trail of the page, which is the title of the window as well. */
export function PageBreadcrumb() {
  const pathname = usePathname();
  const named = useContext(CrumbsContext)?.named;
  const trail = named?.pathname === pathname ? named.crumbs : crumbsFromPath(pathname);
  useWindowTitle(pageTitle(trail, pathname, useMe()?.instanceName ?? "Skillgate"));
  return <Breadcrumb items={trail} className="flex-1" />;
}

/** Keeps the title while the framework writes the static one of the page, which can come later. */
function useWindowTitle(title: string): void {
  useEffect(() => {
    const write = () => {
      if (document.title !== title) document.title = title;
    };
    write();
    const observer = new MutationObserver(write);
    observer.observe(document.head, { subtree: true, childList: true, characterData: true });
    return () => observer.disconnect();
  }, [title]);
}

/**
 * The title of a window, what differs first: `Log tail summary · Run 4f2a · Skillgate`. A run is told by the end of its
 * id, because ids of one minute begin alike.
 */
export function pageTitle(trail: readonly Crumb[], pathname: string, instance: string): string {
  const run = /^\/runs\/(?!groups\/)([^/]+)$/.exec(pathname)?.[1];
  const labels = trail.map(({ label }) => label);
  if (run !== undefined) labels[0] = `Run ${run.slice(-4)}`;
  return [...labels.reverse(), instance].join(" · ");
}

/** `/skills/csv-summary` → My skills, csv-summary */
export function crumbsFromPath(pathname: string): Crumb[] {
  const segments = pathname.split("/").filter(Boolean);
  return segments.map((segment, index) => {
    const href = `/${segments.slice(0, index + 1).join("/")}`;
    return { label: labelOf(decode(segment), href), href };
  });
}

function labelOf(segment: string, href: string): string {
  const page = navigation.find((item) => item.href === href);
  if (page) return page.label;
  if (idPattern.test(segment)) return segment.slice(0, 8);
  return segment;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

type Crumb = { label: string; href?: string };

type BreadcrumbProps = { items: readonly Crumb[]; className?: string };

/** The last entry is the current page. */
function Breadcrumb({ items, className }: BreadcrumbProps) {
  return (
    <nav aria-label="Breadcrumb" className={cn("min-w-0", className)}>
      <ol className="flex min-w-0 items-center gap-1 text-13">
        {items.map(({ label, href }, index) => {
          const isLast = index === items.length - 1;
          return (
            <li key={`${href ?? ""}${label}`} className={cn("flex min-w-0 items-center gap-1", !isLast && "shrink-0")}>
              {index > 0 ? <ChevronRight aria-hidden className="size-3.5 shrink-0 text-muted-foreground" /> : null}
              {href && !isLast ? (
                <Link
                  href={href}
                  className="truncate rounded-sm px-1 py-0.5 text-muted-foreground hover:text-foreground"
                >
                  {label}
                </Link>
              ) : (
                <span
                  aria-current={isLast ? "page" : undefined}
                  title={label}
                  className="truncate px-1 py-0.5 font-medium"
                >
                  {label}
                </span>
              )}
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
