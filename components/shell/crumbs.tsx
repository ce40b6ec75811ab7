"use client";

import { usePathname } from "next/navigation";
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from "react";
import { Breadcrumb, type Crumb } from "@/components/ui/breadcrumb";
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

export function PageBreadcrumb() {
  const pathname = usePathname();
  const named = useContext(CrumbsContext)?.named;
  return (
    <Breadcrumb items={named?.pathname === pathname ? named.crumbs : crumbsFromPath(pathname)} className="flex-1" />
  );
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
