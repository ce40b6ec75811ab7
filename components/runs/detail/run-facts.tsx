import Link from "next/link";
import { Badge, type Tone } from "@/components/ui/badge";
import { DefinitionList } from "@/components/ui/definition-list";
import { Digest } from "@/components/ui/digest";
import { formatBytes } from "@/components/ui/format-bytes";
import { formatDuration, formatLimit } from "@/components/ui/format-time";
import { RelativeTime } from "@/components/ui/relative-time";
import { hasEnded } from "@/lib/client/runs";
import type { Run } from "@/lib/runner/schema";

export function RunOutcome({ run }: { run: Run }) {
  const outcomes = outcomesOf(run);
  if (hasEnded(run.state) && outcomes.length === 0) return null;
  return (
    <ul className="flex min-h-5 flex-wrap items-center gap-1.5">
      {run.state === "queued" ? <li className="text-13 text-muted-foreground">Waiting for a free worker</li> : null}
      {outcomes.map(([text, tone]) => (
        <li key={text}>
          <Badge tone={tone}>{text}</Badge>
        </li>
      ))}
    </ul>
  );
}

function outcomesOf(run: Run): [text: string, tone: Tone][] {
  const found: [string, Tone][] = [];
  // The reason of a failure stands below; only what it does not say is repeated here.
  if (run.exitCode !== null && !run.error) found.push([`Exit code ${run.exitCode}`, "neutral"]);
  if (run.signal && !run.error?.message.includes(run.signal)) found.push([`Ended by ${run.signal}`, "danger"]);
  if (run.attempt > 1) found.push([`Attempt ${run.attempt}`, "neutral"]);
  if (run.truncated) found.push(["Output truncated", "warning"]);
  if (run.startedAt !== null && !run.pipeline) {
    const isApart = run.isolation !== "none" && run.isolation !== "process";
    found.push([isolationLabel(run.isolation), isApart ? "neutral" : "warning"]);
  }
  return found;
}

const isolationLabels: Partial<Record<NonNullable<Run["isolation"]>, string>> = {
  sandbox: "Sandbox",
  namespaces: "Namespaces (no bubblewrap)",
  process: "Separate user, no sandbox",
};

export function RunFacts({ run }: { run: Run }) {
  return (
    <DefinitionList
      items={[
        {
          term: "Skill",
          value: (
            <Link href={`/skills/${encodeURIComponent(run.skill.name)}`} className="text-primary hover:underline">
              {run.skill.label ?? run.skill.name}
            </Link>
          ),
        },
        {
          term: "Version",
          value: (
            <span className="inline-flex items-center gap-1">
              {run.versionNumber} <Digest value={run.versionDigest} label="version digest" />
            </span>
          ),
        },
        { term: "Started by", value: callerLabel(run.caller) },
        { term: "Worker", value: run.worker?.name ?? workerLabel(run) },
        {
          term: run.approval ? "Requested" : "Queued",
          value: <RelativeTime value={run.approval?.requestedAt ?? run.queuedAt} />,
        },
        { term: "Time limit", value: formatLimit(run.timeoutMs / 1000) },
        ...(run.cpuMs === null ? [] : [{ term: "CPU time", value: formatDuration(run.cpuMs) }]),
        ...(run.peakMemoryBytes === null ? [] : [{ term: "Peak memory", value: formatBytes(run.peakMemoryBytes) }]),
        ...(run.attempt > 1 || run.retryOfId
          ? [{ term: "Attempt", value: <Attempt attempt={run.attempt} retryOfId={run.retryOfId} /> }]
          : []),
        ...(run.parentRunId
          ? [{ term: `Step ${(run.stepIndex ?? 0) + 1} of`, value: <RunLink id={run.parentRunId} /> }]
          : []),
        { term: "Run ID", value: <code className="break-all font-mono text-xs">{run.id}</code> },
      ]}
    />
  );
}

function workerLabel({ state, target, pipeline }: Run): string {
  if (pipeline) return "None (each step has its own)";
  if (hasEnded(state)) return "None";
  return target ? `Waiting for ${target.name}${target.online ? "" : " (offline)"}` : "Not assigned yet";
}

function Attempt({ attempt, retryOfId }: { attempt: number; retryOfId: string | null }) {
  return (
    <>
      {attempt}
      {retryOfId ? (
        <>
          , after <RunLink id={retryOfId} />
        </>
      ) : null}
    </>
  );
}

function RunLink({ id }: { id: string }) {
  return (
    <Link href={`/runs/${id}`} className="font-mono text-primary text-xs hover:underline">
      {id.slice(0, 8)}
    </Link>
  );
}

function callerLabel({ name, kind, token, persona }: Run["caller"]): string {
  if (token) return `${name}, with token ${token.name}${persona ? ` as ${persona.name}` : ""}`;
  return kind === "token" ? `${name}, with an API token` : name;
}

export function isolationLabel(isolation: Run["isolation"]): string {
  return (isolation && isolationLabels[isolation]) || "No isolation from the host";
}
