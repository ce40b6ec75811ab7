"use client";

import { useMemo } from "react";
import { type UrlPatch, useUrlParams } from "@/components/state/use-url-params";
import type { SkillFilters } from "@/lib/client/skills";
import { ListSkillsQuery } from "@/lib/skills/schema";

export const filterKeys = ["source", "class", "state", "scope", "category", "lifecycle"] as const;
export type FilterKey = (typeof filterKeys)[number];

/** Switched on, off, or waiting for a reviewer: three answers of the API under one word. */
const states: Record<string, SkillFilters> = {
  on: { enabled: true },
  off: { enabled: false },
  waits: { state: "pending" },
};

export type SkillView = {
  q: string;
  chosen: Partial<Record<FilterKey, string>>;
  filters: SkillFilters;
  isFiltered: boolean;
  /** Whether it shows what came with the release, instead of everything else. */
  isBuiltin: boolean;
  layout: "table" | "cards";
  isGrouped: boolean;
  set: (patch: UrlPatch) => void;
  clear: () => void;
};

/** What My skills shows, kept in the address. */
export function useSkillFilters(): SkillView {
  const [params, set] = useUrlParams();
  const query = params.toString();
  return useMemo(() => {
    const current = new URLSearchParams(query);
    const chosen = readChosen(current);
    const q = current.get("q") ?? "";
    const isBuiltin = current.get("builtin") === "true";
    return {
      q,
      chosen,
      filters: { ...filtersOf(q, chosen), builtin: isBuiltin },
      isFiltered: q !== "" || isBuiltin || Object.keys(chosen).length > 0,
      isBuiltin,
      layout: current.get("view") === "cards" ? "cards" : "table",
      isGrouped: current.get("group") === "category",
      set,
      clear: () => set({ q: null, builtin: null, ...Object.fromEntries(filterKeys.map((key) => [key, null])) }),
    };
  }, [query, set]);
}

/** Values that the API would refuse, from an edited address, count as not chosen. */
function readChosen(params: URLSearchParams): Partial<Record<FilterKey, string>> {
  const chosen: Partial<Record<FilterKey, string>> = {};
  for (const key of filterKeys) {
    const value = params.get(key);
    if (value === null || value === "") continue;
    const isKnown =
      key === "state" ? Object.hasOwn(states, value) : ListSkillsQuery.shape[key].safeParse(value).success;
    if (isKnown) chosen[key] = value;
  }
  return chosen;
}

function filtersOf(q: string, { state, ...rest }: Partial<Record<FilterKey, string>>): SkillFilters {
  return { ...(q ? { q } : {}), ...(rest as SkillFilters), ...(state ? states[state] : {}) };
}
