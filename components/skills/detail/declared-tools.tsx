"use client";

import { useQuery } from "@tanstack/react-query";
import { TriangleAlert } from "lucide-react";
import Link from "next/link";
import { RevealedText } from "@/components/code/revealed-text";
import { ClassChip } from "@/components/ui/class-chip";
import { ErrorState } from "@/components/ui/error-state";
import { Section } from "@/components/ui/section";
import { Skeleton } from "@/components/ui/skeleton";
import { declaredToolsQuery } from "@/lib/client/versions";
import type { ResolvedTool, Version } from "@/lib/skills/versions/schema";

/** The tools that a playbook brings, and the built-ins behind them. Not there when it brings none. */
export function DeclaredTools({ version }: { version: Version }) {
  const hasTools = version.manifest.tools.length > 0;
  const query = useQuery({ ...declaredToolsQuery(version.skillId, version.digest), enabled: hasTools });
  if (!hasTools) return null;
  return (
    <Section title="Tools it brings" level={3} className="gap-2">
      {query.data ? (
        <ul className="flex flex-col gap-2 text-13">
          {query.data.items.map((tool, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a manifest may name a tool twice
            <Tool key={index} tool={tool} />
          ))}
        </ul>
      ) : query.error ? (
        <ErrorState error={query.error} title="The tools could not be loaded." onRetry={() => void query.refetch()} />
      ) : (
        <div role="status" aria-busy="true">
          <span className="sr-only">Loading the tools</span>
          <Skeleton className="w-3/4" />
        </div>
      )}
    </Section>
  );
}

function Tool({ tool: { name, class: toolClass, impl, builtin, skillId, problem } }: { tool: ResolvedTool }) {
  return (
    <li className="min-w-0">
      <p className="flex flex-wrap items-center gap-x-1.5 gap-y-1">
        <code className="font-mono text-xs [overflow-wrap:anywhere]">
          <RevealedText text={name} />
        </code>
        <ClassChip value={toolClass} />
      </p>
      {builtin !== null && skillId !== null ? (
        <p className="text-muted-foreground">
          Uses built-in{" "}
          <Link href={`/skills/${encodeURIComponent(skillId)}`} className="text-primary underline underline-offset-2">
            {builtin}
          </Link>
        </p>
      ) : impl !== null && problem === null ? (
        <p className="text-muted-foreground [overflow-wrap:anywhere]">
          Implemented by <RevealedText text={impl} />, which is not a built-in
        </p>
      ) : null}
      {problem ? (
        <p className="flex items-start gap-1.5 text-warning">
          <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          <span className="min-w-0 [overflow-wrap:anywhere]">
            <RevealedText text={problem} />
          </span>
        </p>
      ) : null}
    </li>
  );
}
