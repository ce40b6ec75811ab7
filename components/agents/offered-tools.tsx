"use client";

import { Check, Copy } from "lucide-react";
import Link from "next/link";
import { RevealedText } from "@/components/code/hidden-notice";

import { type Column, DataTable } from "@/components/lists/data-table";
import { useCopy } from "@/components/state/use-copy";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { ClassChip } from "@/components/ui/class-chip";
import { Section } from "@/components/ui/section";
import type { AgentView } from "@/lib/agent/preamble/schema";

type Annotations = AgentView["tools"][number]["annotations"];

const annotationLabels: [key: keyof Annotations, value: boolean, word: string, meaning: string][] = [
  ["readOnlyHint", true, "read-only", "It changes nothing."],
  ["destructiveHint", true, "destructive", "Its changes may be permanent."],
  ["idempotentHint", true, "safe to repeat", "A second call with the same arguments changes nothing more."],
  ["openWorldHint", true, "uses the network", "It may use other systems over the network."],
  ["openWorldHint", false, "this server only", "It uses no other system."],
];

const columns: readonly Column<AgentView["tools"][number]>[] = [
  {
    header: "Tool",
    cellClassName: "max-w-96 py-1.5 align-top max-md:w-full max-md:max-w-0",
    cell: ({ name, skillId, description }) => (
      <>
        <code className="block truncate font-mono" title={name}>
          {skillId ? (
            <Link href={`/skills/${skillId}`} className="hover:underline">
              <RevealedText text={name} />
            </Link>
          ) : (
            name
          )}
        </code>
        <span className="line-clamp-2 text-muted-foreground text-xs" title={description}>
          <RevealedText text={description} />
        </span>
      </>
    ),
  },
  {
    header: "Class",
    cellClassName: "py-1.5 align-top",
    cell: (tool) =>
      tool.class ? (
        <ClassChip value={tool.class} />
      ) : (
        <span className="whitespace-nowrap text-muted-foreground text-xs">Built-in</span>
      ),
  },
  {
    header: "Behaviour",
    className: "max-md:hidden",
    cellClassName: "py-1.5 align-top",
    cell: ({ annotations }) => (
      <span className="flex flex-wrap gap-1">
        {describeAnnotations(annotations).map(({ word, meaning }) => (
          <Badge key={word} title={meaning}>
            {word}
          </Badge>
        ))}
      </span>
    ),
  },
];

type OfferedToolsProps = { view: AgentView; className?: string };

export function OfferedTools({ view: { tools, definitions }, className = "" }: OfferedToolsProps) {
  return (
    <Section
      title="Tools"
      description={`The agent may call ${tools.length} ${tools.length === 1 ? "tool" : "tools"}.`}
      className={className}
      actions={
        <span className="flex flex-wrap gap-2">
          <CopyDefinitions name="MCP" value={definitions.mcp} />
          <CopyDefinitions name="OpenAI" value={definitions.openai} />
          <CopyDefinitions name="Anthropic" value={definitions.anthropic} />
        </span>
      }
    >
      <DataTable label="Tools" rows={tools} rowId={({ name }) => name} columns={columns} />
    </Section>
  );
}

function CopyDefinitions({ name, value }: { name: string; value: unknown }) {
  const { copied, copy } = useCopy();
  const Icon = copied ? Check : Copy;
  return (
    <>
      <Button size="sm" onClick={() => void copy(JSON.stringify(value, null, 2))} aria-label={`Copy as ${name} tools`}>
        <Icon aria-hidden />
        Copy for {name}
      </Button>
      <span role="status" className="sr-only">
        {copied ? `Copied as ${name} tools` : ""}
      </span>
    </>
  );
}

function describeAnnotations(annotations: Annotations): { word: string; meaning: string }[] {
  return annotationLabels
    .filter(([key, value]) => annotations[key] === value)
    .map(([, , word, meaning]) => ({ word, meaning }));
}
