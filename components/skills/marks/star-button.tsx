"use client";

import { Star } from "lucide-react";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import type { Skill } from "@/lib/skills/schema";
import { countOf, displayName } from "../skill-words";
import { useStar } from "./use-star";

/** One’s own star, and how many people gave one. */
export function StarButton({ skill }: { skill: Skill }) {
  const star = useStar(skill.id);
  const starred = star.isPending ? star.variables : skill.starred;
  const stars = skill.stars + (starred === skill.starred ? 0 : starred ? 1 : -1);
  return (
    <Button
      aria-pressed={starred}
      aria-label={`Star ${displayName(skill)}, ${countOf(stars, "star")}`}
      title={starred ? "Take your star back" : "Star"}
      onClick={() => !star.isPending && star.mutate(!starred)}
    >
      <Star aria-hidden className={cn(starred && "fill-current")} />
      <span className="tabular-nums">{stars.toLocaleString("en-GB")}</span>
    </Button>
  );
}
