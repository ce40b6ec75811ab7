"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { Star } from "lucide-react";
import Link from "next/link";
import { RevealedText } from "@/components/code/revealed-text";
import { SkillIcon } from "@/components/skills/skill-icon";
import { countOf, displayName, skillHref } from "@/components/skills/skill-words";
import { QueryState } from "@/components/state/query-state";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { ClassChip } from "@/components/ui/class-chip";
import { EmptyState } from "@/components/ui/empty-state";
import { RelativeTime } from "@/components/ui/relative-time";
import { Section } from "@/components/ui/section";
import type { Publisher } from "@/lib/client/publishers";
import { skillsQuery } from "@/lib/client/skills";
import type { Skill } from "@/lib/skills/schema";

/** What a publisher offers, as far as one sees it. */
export function PublisherSkills({ publisher }: { publisher: Publisher }) {
  const query = useInfiniteQuery(skillsQuery({ publisher: publisher.handle }));
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  return (
    <Section title={countOf(publisher.skills, "skill")}>
      <QueryState
        query={query}
        errorTitle="The skills could not be loaded."
        isEmpty={({ pages }) => pages.every(({ items }) => items.length === 0)}
        empty={<EmptyState title="No skill yet" description="What this publisher shares with you stands here." />}
      >
        {({ pages }) => (
          <>
            <ul className="flex flex-col divide-y border-y">
              {pages
                .flatMap(({ items }) => items)
                .map((skill) => (
                  <SkillLine key={skill.id} skill={skill} />
                ))}
            </ul>
            {hasNextPage ? (
              <div>
                <Button pending={isFetchingNextPage} onClick={() => void fetchNextPage()}>
                  Show more
                </Button>
              </div>
            ) : null}
          </>
        )}
      </QueryState>
    </Section>
  );
}

function SkillLine({ skill }: { skill: Skill }) {
  return (
    <li className="flex items-center gap-3 py-2.5">
      <SkillIcon skill={skill} size="sm" />
      <span className="min-w-0 flex-1">
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <Link href={skillHref(skill)} className="truncate font-medium hover:underline">
            <RevealedText text={displayName(skill)} />
          </Link>
          <ClassChip value={skill.class} />
          {skill.deprecated ? <Badge tone="warning">deprecated</Badge> : null}
        </span>
        <span className="block truncate text-13 text-muted-foreground" title={skill.description}>
          <RevealedText text={skill.description} />
        </span>
      </span>
      <span className="flex shrink-0 items-center gap-1 text-13 text-muted-foreground tabular-nums">
        <Star aria-hidden className="size-3.5" />
        <span className="sr-only">{countOf(skill.stars, "star")}</span>
        <span aria-hidden>{skill.stars}</span>
      </span>
      <RelativeTime
        value={skill.updatedAt}
        className="w-24 shrink-0 text-right text-13 text-muted-foreground max-sm:hidden"
      />
    </li>
  );
}
