import Link from "next/link";
import { Badge } from "@/components/ui/badge";
import { DefinitionList } from "@/components/ui/definition-list";
import { Digest } from "@/components/ui/digest";
import { formatBytes } from "@/components/ui/format-bytes";
import { formatDuration } from "@/components/ui/format-time";
import { RelativeTime } from "@/components/ui/relative-time";
import { hasEnded, type Run } from "@/lib/client/runs";

/** What the process did: how it ended, and what was cut. */
export function RunOutcome({ run }: { run: Run }) {
  return (
    <ul className="flex min-h-5 flex-wrap items-center gap-1.5">
      {run.state === "queued" ? <li className="text-13 text-muted-foreground">Waiting for a free worker</li> : null}
      {run.exitCode === null ? null : (
        <li>
          <Badge tone={run.exitCode === 0 ? "neutral" : "danger"}>Exit code {run.exitCode}</Badge>
        </li>
      )}
      {run.signal ? (
        <li>
          <Badge tone="danger">Ended by {run.signal}</Badge>
        </li>
      ) : null}
      {run.error && killReasons[run.error.code] ? (
        <li>
          <Badge tone="danger">{killReasons[run.error.code]}</Badge>
        </li>
      ) : null}
      {run.attempt > 1 ? (
        <li>
          <Badge>Attempt {run.attempt}</Badge>
        </li>
      ) : null}
      {run.timedOut ? (
        <li>
          <Badge tone="danger">Timed out after {formatDuration(run.timeoutMs)}</Badge>
        </li>
      ) : null}
      {run.truncated ? (
        <li>
          <Badge tone="warning">Output was cut at its limit</Badge>
        </li>
      ) : null}
      {run.startedAt !== null && !run.pipeline ? (
        <li>
          <Badge tone={run.isolation === "none" || run.isolation === "process" ? "warning" : "neutral"}>
            {isolationWords(run.isolation)}
          </Badge>
        </li>
      ) : null}
    </ul>
  );
}

/** Why a process was ended from outside, where neither the exit code nor the signal tells. */
const killReasons: Record<string, string> = {
  output_limit: "Ended: too much output",
  cancelled: "Ended: cancelled",
  worker_lost: "Its worker was lost",
  worker_stopped: "Its worker was stopped",
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
        { term: "Asked by", value: callerWords(run.caller) },
        { term: "Worker", value: run.worker?.name ?? workerWords(run) },
        {
          term: run.approval ? "Asked" : "Queued",
          value: <RelativeTime value={run.approval?.requestedAt ?? run.queuedAt} />,
        },
        { term: "Time limit", value: formatDuration(run.timeoutMs) },
        ...usageOf(run),
        ...(run.attempt > 1 || run.retryOfId
          ? [{ term: "Attempt", value: <Attempt attempt={run.attempt} retryOfId={run.retryOfId} /> }]
          : []),
        ...(run.parentRunId
          ? [{ term: `Step ${(run.stepIndex ?? 0) + 1} of`, value: <RunLink id={run.parentRunId} /> }]
          : []),
        { term: "Run id", value: <code className="break-all font-mono text-xs">{run.id}</code> },
      ]}
    />
  );
}

function workerWords({ state, target, pipeline }: Run): string {
  if (pipeline) return "None: its steps have workers";
  if (hasEnded(state)) return "None";
  return target ? `Waits for ${target.name}${target.online ? "" : ", which is offline"}` : "Not taken yet";
}

function usageOf({ cpuMs, peakMemoryBytes }: Run) {
  return [
    ...(cpuMs === null ? [] : [{ term: "CPU time", value: formatDuration(cpuMs) }]),
    ...(peakMemoryBytes === null ? [] : [{ term: "Peak memory", value: formatBytes(peakMemoryBytes) }]),
  ];
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

function callerWords({ name, kind, token, persona }: Run["caller"]): string {
  if (token) return `${name}, by the token ${token.name}${persona ? ` as ${persona.name}` : ""}`;
  return kind === "token" ? `${name}, by an API token` : name;
}

/** What kept a run from its host, in plain words. */
export function isolationWords(isolation: Run["isolation"]): string {
  switch (isolation) {
    case "sandbox":
      return "In a sandbox";
    case "namespaces":
      return "In namespaces of its own, without bubblewrap";
    case "process":
      return "As a separate user, not in a sandbox";
    default:
      return "Not isolated from its host";
  }
}
