"use client";

import { useQuery } from "@tanstack/react-query";
import { QueryState } from "@/components/state/query-state";
import { DefinitionList } from "@/components/ui/definition-list";
import { Section } from "@/components/ui/section";
import { settingsQuery } from "@/lib/client/settings";
import { settingLabel } from "../instance/setting-label";

const limits = [
  "requestsPerMinute",
  "agentRequestsPerMinute",
  "runsPerMinute",
  "agentRunsPerMinute",
  "importsPerHour",
  "skillsPerPerson",
  "skillMiBPerPerson",
  "importMiBPerDay",
  "runsPerHour",
  "runsPerDay",
  "runsAtOnce",
] as const;

export function Limits() {
  const query = useQuery(settingsQuery);
  return (
    <Section
      title="Limits and quotas"
      description={
        <>
          Change them under{" "}
          <a href="/settings/instance" className="text-primary underline underline-offset-2">
            This server
          </a>
          , or for one person under{" "}
          <a href="/settings/people" className="text-primary underline underline-offset-2">
            People
          </a>
          .
        </>
      }
    >
      <QueryState query={query} skeletonRows={4} errorTitle="The limits could not be loaded.">
        {({ values }) => (
          <DefinitionList
            items={limits.map((key) => ({
              term: settingLabel(key),
              value: values[key] === 0 ? "No limit" : values[key].toLocaleString("en"),
            }))}
          />
        )}
      </QueryState>
    </Section>
  );
}
