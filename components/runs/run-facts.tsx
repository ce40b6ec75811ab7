import Link from "next/link";
import { Badge } from "@/components/ui/badge";
import { DefinitionList } from "@/components/ui/definition-list";
import { Digest } from "@/components/ui/digest";
import { formatDuration } from "@/components/ui/format-time";
import { RelativeTime } from "@/components/ui/relative-time";
import { hasEnded, type Run } from "@/lib/client/runs";
import { isolationWords } from "./isolation-words";

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
      {run.startedAt !== null ? (
        <li>
          <Badge>{isolationWords(run.isolation)}</Badge>
        </li>
      ) : null}
    </ul>
  );
}

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
        { term: "Worker", value: run.worker?.name ?? (hasEnded(run.state) ? "None" : "Not taken yet") },
        {
          term: run.approval ? "Asked" : "Queued",
          value: <RelativeTime value={run.approval?.requestedAt ?? run.queuedAt} />,
        },
        { term: "Time limit", value: formatDuration(run.timeoutMs) },
        { term: "Run id", value: <code className="break-all font-mono text-xs">{run.id}</code> },
      ]}
    />
  );
}

function callerWords({ name, kind, token, persona }: Run["caller"]): string {
  if (token) return `${name}, by the token ${token.name}${persona ? ` as ${persona.name}` : ""}`;
  return kind === "token" ? `${name}, by an API token` : name;
}
