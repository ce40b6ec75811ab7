"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { QueryState } from "@/components/state/query-state";
import { Button } from "@/components/ui/button";
import { Section } from "@/components/ui/section";
import { traceFiguresQuery } from "@/lib/client/traces";
import { TraceFigures } from "./trace-figures";

export function SkillUsage({ skillId }: { skillId: string }) {
  const query = useQuery(traceFiguresQuery({ skill: skillId }, "version"));
  return (
    <Section
      title="Usage"
      description="How often people and agents ran or loaded it, of what you may see."
      actions={
        <Button asChild>
          <Link href={`/agents/traces?skill=${skillId}`}>Open traces</Link>
        </Button>
      }
    >
      <QueryState
        query={query}
        errorTitle="The usage could not be loaded."
        isEmpty={({ items }) => items.length === 0}
        empty={<p className="text-13 text-muted-foreground">No uses in the stored traces</p>}
      >
        {({ items }) => (
          <TraceFigures
            label="Usage by version"
            head="Version"
            items={items}
            nameOf={({ versionNumber, versionDigest }) =>
              versionNumber === null ? (versionDigest?.slice(0, 7) ?? "Unknown") : `Version ${versionNumber}`
            }
          />
        )}
      </QueryState>
    </Section>
  );
}
