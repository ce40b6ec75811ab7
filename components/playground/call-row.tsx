import { useQuery } from "@tanstack/react-query";
import { ChevronRight } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import { JsonView } from "@/components/json/json-view";
import { RunRating } from "@/components/traces/trace-rating";
import { Badge, type Tone } from "@/components/ui/badge";
import { CodeBlock } from "@/components/ui/code-block";
import { formatDuration } from "@/components/ui/format-time";
import { StateChip } from "@/components/ui/state-chip";
import { hasEnded, runQuery } from "@/lib/client/runs";
import type { Call } from "./read-turn";

export const callOutcomes: Record<NonNullable<Call["result"]>["outcome"], { label: string; tone: Tone }> = {
  ok: { label: "Done", tone: "neutral" },
  refused: { label: "Refused", tone: "danger" },
  failed: { label: "Failed", tone: "danger" },
  parked: { label: "Awaiting approval", tone: "warning" },
};

export function CallRow({ call: { key, tool, args, result } }: { call: Call }) {
  const [isOpen, setOpen] = useState(false);
  const short = shortArgs(args);
  return (
    <div className="rounded-md border text-13">
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)} className="group/call">
        <summary className="flex min-h-9 cursor-default list-none items-center gap-2 rounded-md px-2.5 hover:bg-accent [&::-webkit-details-marker]:hidden">
          <ChevronRight
            aria-hidden
            className="size-4 shrink-0 text-muted-foreground transition-transform duration-100 group-open/call:rotate-90"
          />
          <code className="shrink-0 font-mono text-xs">{tool}</code>
          <span className="min-w-0 flex-1 truncate font-mono text-muted-foreground text-xs" title={short}>
            {short}
          </span>
          {result ? (
            <>
              <span className="text-muted-foreground text-xs tabular-nums max-sm:hidden">
                {formatDuration(result.milliseconds)}
              </span>
              <Badge tone={callOutcomes[result.outcome].tone}>{callOutcomes[result.outcome].label}</Badge>
            </>
          ) : (
            <Badge tone="accent">Running</Badge>
          )}
        </summary>
        {isOpen ? (
          <div className="flex flex-col gap-2 border-t p-2.5">
            <CodeBlock
              code={JSON.stringify(args, null, 2) ?? "null"}
              label="Arguments"
              language="json"
              wrap
              className="max-h-64"
            />
            {result ? <Answer name={`${tool}-${key}`} content={result.content} /> : null}
          </div>
        ) : null}
      </details>
      {result?.runId ? (
        <div className="border-t px-2.5 py-1.5">
          <RunLine runId={result.runId} />
        </div>
      ) : null}
      {result?.outcome === "refused" ? <p className="border-t px-2.5 py-1.5 text-danger">{result.content}</p> : null}
    </div>
  );
}

function Answer({ name, content }: { name: string; content: string }) {
  const value = readJson(content);
  if (value === undefined) return <CodeBlock code={content} label="Answer" wrap className="max-h-96" />;
  return <JsonView value={value} label="Answer" filename={`${name}.json`} wrap />;
}

function readJson(content: string): unknown {
  if (!/^\s*[[{]/.test(content)) return undefined;
  try {
    return JSON.parse(content);
  } catch {
    return undefined; // The text is not JSON, or was cut off.
  }
}

function shortArgs(args: unknown): string {
  if (typeof args !== "object" || args === null) return args === undefined ? "" : JSON.stringify(args);
  return Object.entries(args)
    .map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(", ")
    .slice(0, 300);
}

export function RunLine({ runId }: { runId: string }) {
  const { data: run } = useQuery(runQuery(runId));
  const id = encodeURIComponent(runId);
  return (
    <p className="flex min-h-6 flex-wrap items-center gap-x-3 gap-y-1 text-13">
      {run ? <StateChip state={run.state} /> : null}
      <Link href={`/runs/${id}`} className="text-primary hover:underline">
        Open run
      </Link>
      {run?.state === "awaiting_approval" ? (
        <Link href={`/approvals?run=${id}`} className="text-primary hover:underline">
          Open approval
        </Link>
      ) : null}
      {run && hasEnded(run.state) ? <RunRating runId={runId} /> : null}
    </p>
  );
}
