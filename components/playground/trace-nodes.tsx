import {
  Ban,
  BookOpen,
  FileText,
  Flag,
  GitFork,
  List,
  Lock,
  LockOpen,
  type LucideIcon,
  Play,
  ScrollText,
  Search,
} from "lucide-react";
import type { ReactNode } from "react";
import { StepMark } from "@/components/agents/step-mark";
import { Badge } from "@/components/ui/badge";
import { cn } from "@/components/ui/cn";
import { CodeBlock } from "@/components/ui/code-block";
import { formatDuration } from "@/components/ui/format-time";
import { callOutcomes, RunLine } from "./call-row";
import type { ForkNode, TraceNode } from "./read-turn";
import { describeTools, reasonLabels } from "./turn-view";

/** The trace as a line of nodes; a sub-agent has its own indented line. */
export function TraceNodes({ nodes }: { nodes: readonly TraceNode[] }) {
  return (
    <ol className="ml-3 border-l">
      {nodes.map((node) => (
        <Node key={node.key} node={node} />
      ))}
    </ol>
  );
}

function Node({ node }: { node: TraceNode }) {
  switch (node.kind) {
    case "preamble":
      return <Preamble text={node.text} tools={node.tools} />;
    case "call":
      return <CallNode node={node} />;
    case "limit":
      return (
        <Row Icon={node.tools === null ? LockOpen : Lock} label={node.tools === null ? "No tool limit" : "Limit set"}>
          <p className="text-muted-foreground">
            {node.skill} allows {describeTools(node.tools)}.
          </p>
        </Row>
      );
    case "fork":
      return <Fork node={node} />;
    case "end":
      return (
        <Row Icon={Flag} label={reasonLabels[node.reason]} isRed={node.reason === "error"}>
          {node.message ? <p className="text-danger">{node.message}</p> : null}
        </Row>
      );
  }
}

function Preamble({ text, tools }: { text: string; tools: string[] }) {
  const size = `${text.length.toLocaleString("en-GB")} characters, ${tools.length} ${tools.length === 1 ? "tool" : "tools"}`;
  return (
    <Row Icon={ScrollText} label="Preamble sent" aside={size}>
      <Expandable label="Show preamble">
        <CodeBlock code={text} label="Preamble" wrap className="max-h-96" />
        <p className="mt-1.5 text-muted-foreground">
          Allowed tools:{" "}
          {tools.map((tool) => (
            <code key={tool} className="mr-1.5 inline-block break-all rounded-sm border px-1 font-mono text-xs">
              {tool}
            </code>
          ))}
        </p>
      </Expandable>
    </Row>
  );
}

const builtinTools: Record<string, { label: string; Icon: LucideIcon }> = {
  use_skill: { label: "Loaded", Icon: BookOpen },
  read_skill_file: { label: "Read", Icon: FileText },
  list_skills: { label: "Listed", Icon: List },
  search_skills: { label: "Searched", Icon: Search },
};

function CallNode({ node: { tool, args, result } }: { node: Extract<TraceNode, { kind: "call" }> }) {
  const { label, Icon } = builtinTools[tool] ?? { label: "Called", Icon: Play };
  const name = nameIn(args);
  const isRed = result?.outcome === "refused" || result?.outcome === "failed";
  return (
    <Row
      Icon={result?.outcome === "refused" ? Ban : Icon}
      label={result ? label : `${label}…`}
      isRed={isRed}
      what={tool in builtinTools && name !== null ? name : <code className="font-mono text-xs">{tool}</code>}
      aside={result ? formatDuration(result.milliseconds) : undefined}
    >
      {result && result.outcome !== "ok" ? (
        <Badge tone={callOutcomes[result.outcome].tone}>{callOutcomes[result.outcome].label}</Badge>
      ) : null}
      {result && isRed ? <p className="mt-1 line-clamp-4 text-danger">{result.content}</p> : null}
      {result?.runId ? <RunLine runId={result.runId} /> : null}
    </Row>
  );
}

function Fork({ node }: { node: ForkNode }) {
  const { skill, tools, nodes, usage, joined } = node;
  return (
    <Row
      Icon={GitFork}
      label="Sub-agent"
      what={skill}
      aside={
        usage
          ? `${usage.steps} ${usage.steps === 1 ? "step" : "steps"}, ${usage.tokens.toLocaleString("en-GB")} tokens`
          : undefined
      }
    >
      <p className="text-muted-foreground">
        Its skill allows {describeTools(tools)}. The limit does not apply to its parent.
      </p>
      {nodes.length === 0 ? null : (
        <div className="mt-1.5 ml-1">
          <TraceNodes nodes={nodes} />
        </div>
      )}
      {joined === null ? (
        <Badge tone="accent">Working</Badge>
      ) : (
        <>
          <p className={joined.reason === "done" ? "text-muted-foreground" : "text-danger"}>
            {joined.reason === "done" ? "Returned its result." : `${reasonLabels[joined.reason]}.`}
          </p>
          <Expandable label="Show result">
            <CodeBlock code={joined.result} label="Result" wrap className="max-h-64" />
          </Expandable>
        </>
      )}
    </Row>
  );
}

type RowProps = {
  Icon: LucideIcon;
  label: string;
  what?: ReactNode;
  aside?: string | undefined;
  isRed?: boolean;
  children?: ReactNode;
};

function Row({ Icon, label, what, aside, isRed = false, children }: RowProps) {
  return (
    <li className="relative py-1.5 pl-6 text-13">
      <StepMark Icon={Icon} isRed={isRed} />
      <p className="flex min-h-6 flex-wrap items-center gap-x-2">
        <span className={cn("font-medium", isRed && "text-danger")}>{label}</span>
        {what === undefined ? null : <span className="min-w-0 break-all">{what}</span>}
        {aside === undefined ? null : (
          <span className="ml-auto text-muted-foreground text-xs tabular-nums">{aside}</span>
        )}
      </p>
      <div className="min-w-0 break-words">{children}</div>
    </li>
  );
}

function Expandable({ label, children }: { label: string; children: ReactNode }) {
  return (
    <details>
      <summary className="min-h-6 w-fit cursor-default rounded-sm text-primary hover:underline">{label}</summary>
      <div className="pt-1.5">{children}</div>
    </details>
  );
}

function nameIn(args: unknown): string | null {
  if (typeof args !== "object" || args === null) return null;
  const { name, path, query } = args as Record<string, unknown>;
  const found = [path, name, query].find((value) => typeof value === "string");
  return typeof found === "string" ? found.slice(0, 200) : null;
}
