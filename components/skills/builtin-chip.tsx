"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { Package } from "lucide-react";
import { Button } from "@/components/ui/button";
import { CountBadge } from "@/components/ui/count-badge";
import { skillsQuery } from "@/lib/client/skills";
import type { SkillView } from "./use-skill-filters";

/**
 * Switches between the skills of people and those that came with the release, which would bury the others. Counts what
 * fits the search and the filters, so that something found among the built-ins is not missed.
 */
export function BuiltinChip({ view }: { view: SkillView }) {
  const { data } = useInfiniteQuery(skillsQuery({ ...view.filters, builtin: true }));
  const count = data?.pages.reduce((sum, page) => sum + page.items.length, 0) ?? 0;
  if (count === 0 && !view.isBuiltin) return null;
  return (
    <Button
      aria-pressed={view.isBuiltin}
      onClick={() => view.set({ builtin: view.isBuiltin ? null : "true" })}
      className={view.isBuiltin ? "bg-accent" : ""}
    >
      <Package aria-hidden />
      Built-in
      <CountBadge count={count} label="skills" className={view.isBuiltin ? "bg-background" : ""} />
    </Button>
  );
}
