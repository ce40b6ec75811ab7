"use client";

import { useQuery } from "@tanstack/react-query";
import { RevealedText } from "@/components/code/revealed-text";
import { QueryState } from "@/components/state/query-state";
import { SkeletonRows } from "@/components/ui/skeleton-rows";
import { type PermissionMode, personaSkillsQuery } from "@/lib/client/personas";
import { type SkillLists, whyKeptAway } from "@/lib/policy/match-skill-lists";
import type { Skill } from "@/lib/skills/schema";

type PersonaPreviewProps = { mode: PermissionMode; lists: SkillLists };

/** Tries the lists on the skills there are, with the same matcher that decides at a call. */
export function PersonaPreview({ mode, lists }: PersonaPreviewProps) {
  const query = useQuery(personaSkillsQuery);
  return (
    <section aria-label="Skills this reaches" className="min-w-0 rounded-md border md:sticky md:top-0">
      <QueryState query={query} loading={<SkeletonRows rows={5} />} errorTitle="The skills could not be loaded.">
        {({ items, nextCursor }) => {
          const tried = items.map((skill) => ({
            skill,
            away: whyKeptAway(lists, skill)?.reason ?? refusal(skill, mode),
          }));
          const reached = tried.filter(({ away }) => away === null).length;
          return (
            <>
              <p role="status" className="border-b px-3 py-2 text-13">
                <span className="font-medium tabular-nums">
                  Reaches {reached} of {tried.length}
                </span>{" "}
                {nextCursor === null ? "skills you see" : "of the first skills you see"}
              </p>
              <ul
                // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
                tabIndex={0}
                aria-label="Skills, reached or not"
                className="max-h-72 overflow-y-auto py-1 text-13 focus-visible:-outline-offset-2"
              >
                {tried
                  .sort((a, b) => Number(a.away !== null) - Number(b.away !== null))
                  .map(({ skill, away }) => (
                    <li key={skill.id} className="px-3 py-1">
                      <span className={away === null ? "" : "text-muted-foreground line-through"}>
                        <RevealedText text={skill.name} />
                      </span>{" "}
                      <span className="text-muted-foreground text-xs">
                        {away === null ? stepWords(skill, mode) : away}
                      </span>
                    </li>
                  ))}
              </ul>
            </>
          );
        }}
      </QueryState>
    </section>
  );
}

function refusal(skill: Skill, mode: PermissionMode): string | null {
  if (skill.class === "mutating" && mode === "read-only") return "it changes things";
  if (skill.class === "dangerous" && mode !== "dual-sign-required") return "it is dangerous";
  return null;
}

function stepWords(skill: Skill, mode: PermissionMode): string {
  if (!skill.runnable) return "read";
  if (skill.class === "safe") return "starts at once";
  return skill.class === "dangerous" && mode === "dual-sign-required" ? "waits for two people" : "waits for a person";
}
