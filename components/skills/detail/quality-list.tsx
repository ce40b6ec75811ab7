"use client";

import { useQuery } from "@tanstack/react-query";
import { DiagnosticList } from "@/components/code/diagnostic-list";
import { Section } from "@/components/ui/section";
import { versionAdviceQuery } from "@/lib/client/versions";
import type { Version } from "@/lib/skills/versions/schema";

/** Advice for the author. Not there while nothing is to be said: it decides nothing. */
export function QualityList({ version }: { version: Version }) {
  const { data } = useQuery(versionAdviceQuery(version.skillId, version.digest));
  if (!data || data.quality.length === 0) return null;
  return (
    <Section title="Could be better" level={3} className="gap-1">
      <DiagnosticList diagnostics={data.quality} />
    </Section>
  );
}
