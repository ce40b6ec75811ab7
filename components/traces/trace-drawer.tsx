"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { capital } from "@/components/audit/action-labels";
import { sourceNames } from "@/components/skills/skill-labels";
import { QueryState } from "@/components/state/query-state";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { DefinitionList } from "@/components/ui/definition-list";
import { Digest } from "@/components/ui/digest";
import { Drawer, DrawerContent } from "@/components/ui/drawer";
import { formatBytes } from "@/components/ui/format-bytes";
import { formatDuration, formatExactTime } from "@/components/ui/format-time";
import { Section } from "@/components/ui/section";
import type { TraceDetail } from "@/lib/agent/traces/schema";
import { traceQuery } from "@/lib/client/traces";
import { kindLabels, outcomeBadge, skillLabel, surfaceLabels } from "./trace-labels";
import { TraceRating } from "./trace-rating";

export function TraceDrawer({ id, onClose }: { id: string | null; onClose: () => void }) {
  const query = useQuery(traceQuery(id));
  const trace = id === null ? undefined : query.data;
  return (
    <Drawer open={id !== null} onOpenChange={(open) => !open && onClose()}>
      {id === null ? null : (
        <DrawerContent
          size="lg"
          title={trace ? skillLabel(trace.skill) : "Trace"}
          description={trace ? formatExactTime(Date.parse(trace.at)) : undefined}
          actions={trace ? <TraceRating trace={trace} /> : null}
          footer={trace ? <Links trace={trace} /> : null}
        >
          <QueryState query={query} errorTitle="The trace could not be loaded.">
            {(shown) => <Facts trace={shown} />}
          </QueryState>
        </DrawerContent>
      )}
    </Drawer>
  );
}

function Facts({ trace }: { trace: TraceDetail }) {
  const { label, tone } = outcomeBadge(trace);
  const duration = trace.durationMs === null ? "Unknown" : formatDuration(trace.durationMs);
  return (
    <div className="flex flex-col gap-5">
      <DefinitionList
        items={[
          { term: "Outcome", value: <Badge tone={tone}>{label}</Badge> },
          ...(trace.kind === "executable" && trace.outcome === "ok"
            ? []
            : [{ term: "Detail", value: capital(trace.detail) }]),
          { term: "Type", value: kindLabels[trace.kind] },
          { term: "Channel", value: surfaceLabels[trace.surface] },
          { term: "Person", value: trace.person.name ?? "A former user" },
          {
            term: "Skill source",
            value:
              trace.source === null
                ? "Unknown"
                : ((sourceNames as Record<string, string>)[trace.source] ?? trace.source),
          },
          { term: "Version", value: versionOf(trace) },
          { term: "Duration", value: duration },
          ...(trace.ratedBy ? [{ term: "Rated by", value: trace.ratedBy.name ?? "A former user" }] : []),
        ]}
      />
      <Side title="Input" side={trace.input} />
      <Side title="Output" side={trace.output} />
    </div>
  );
}

function versionOf({ versionDigest, versionNumber }: TraceDetail) {
  if (versionDigest === null) return "Unknown";
  return (
    <span className="flex flex-wrap items-center gap-2">
      {versionNumber === null ? null : `Version ${versionNumber}`}
      <Digest value={versionDigest} label="version digest" />
    </span>
  );
}

function Side({ title, side }: { title: string; side: TraceDetail["input"] }) {
  return (
    <Section title={title} level={3}>
      {side === null || side.text === "" ? (
        <p className="text-13 text-muted-foreground">Not recorded</p>
      ) : (
        <CodeBlock code={side.text} label={title} showLabel={false} wrap />
      )}
      {side?.digest ? (
        <p className="flex flex-wrap items-center gap-2 text-13 text-muted-foreground">
          The first 8 KiB of {formatBytes(side.bytes)}. Digest of the whole:
          <Digest value={side.digest} label={`digest of the ${title.toLowerCase()}`} />
        </p>
      ) : null}
    </Section>
  );
}

function Links({ trace: { runId, sessionId, skill } }: { trace: TraceDetail }) {
  const page = skill?.name ? `/skills/${skill.id}` : null;
  const all = [
    { href: runId && `/runs/${runId}`, label: "Open run" },
    { href: sessionId && `/agents/${sessionId}`, label: "Open session" },
    { href: page && `${page}?tab=versions`, label: "Open versions" },
    { href: page, label: "Open skill" },
  ];
  return all.map(({ href, label }) =>
    href ? (
      <Button key={label} asChild>
        <Link href={href}>{label}</Link>
      </Button>
    ) : null,
  );
}
