import type { ReactNode } from "react";
import { JsonTree } from "@/components/json/json-tree";
import { DefinitionList } from "@/components/ui/definition-list";
import { Digest } from "@/components/ui/digest";
import { formatDuration } from "@/components/ui/format-time";
import { Section } from "@/components/ui/section";
import type { AuditDetail, AuditEvent } from "@/lib/client/audit";
import { ChangesTable, readChanges } from "./changes-table";

/** The fields of an event, what it changed, and what came and went with it. */
export function EventDetails({ detail: { event, verified } }: { detail: AuditDetail }) {
  const changes = readChanges(event.data);
  const { before: _before, after: _after, ...rest } = event.data;
  const parts = [
    { title: "Arguments", value: event.arguments },
    { title: "Result", value: event.result },
    { title: "Error", value: event.error },
    { title: "Data", value: changes.length > 0 ? rest : event.data },
  ];
  return (
    <div className="flex flex-col gap-6">
      <DefinitionList items={factsOf(event)} />
      {changes.length > 0 ? (
        <Section title="Changes" level={3}>
          <ChangesTable changes={changes} />
        </Section>
      ) : null}
      {parts.map(({ title, value }) =>
        isSomething(value) ? (
          <Section key={title} title={title} level={3}>
            <JsonTree key={event.seq} value={value} label={`${title} of the event`} className="rounded-md border" />
          </Section>
        ) : null,
      )}
      <Section title="Chain" level={3}>
        <DefinitionList items={chainOf(event, verified)} />
      </Section>
    </div>
  );
}

const outcomes = { ok: "Done", refused: "Refused", failed: "Failed" } as const;
const decisions = {
  allow: "Allowed",
  ask: "Asked a person",
  refuse: "Refused",
  approve: "Approved",
  reject: "Rejected",
} as const;

function factsOf(event: AuditEvent): { term: string; value: ReactNode }[] {
  const { actor, target } = event;
  const facts: { term: string; value: ReactNode }[] = [
    { term: "Outcome", value: outcomes[event.outcome] },
    { term: "Action", value: code(event.action) },
    { term: "Times", value: event.count > 1 ? event.count : null },
    { term: "Actor", value: `${actor.name} (${actor.role ? `${actor.kind}, ${actor.role}` : actor.kind})` },
    { term: "On behalf of", value: event.onBehalfOf?.name ?? null },
    { term: "Asked through", value: event.callerKind },
    { term: "Decision", value: event.decision === null ? null : decisions[event.decision] },
    { term: "Rule", value: code(event.rule) },
    { term: "Signed by", value: event.approvers.map(({ name }) => name).join(", ") || null },
    { term: "Target", value: target ? `${target.name} (${target.kind})` : null },
    { term: "Tool", value: code(event.tool) },
    { term: "Class", value: event.class },
    { term: "Role", value: event.runId === null ? null : event.role },
    {
      term: "Arguments digest",
      value:
        event.argumentsDigest === null ? null : (
          <Digest value={event.argumentsDigest} label="digest of the arguments" />
        ),
    },
    {
      term: "Version",
      value: event.versionDigest === null ? null : <Digest value={event.versionDigest} label="version digest" />,
    },
    { term: "Run", value: code(event.runId) },
    { term: "Took", value: event.durationMs === null ? null : formatDuration(event.durationMs) },
    { term: "Address", value: event.address },
    { term: "Device", value: event.device },
    { term: "Session", value: code(event.sessionId) },
    { term: "Request", value: code(event.requestId) },
    { term: "Trace", value: event.traceId === event.requestId ? null : code(event.traceId) },
  ];
  return facts.filter(({ value }) => value !== null);
}

function chainOf({ seq, chain }: AuditEvent, verified: boolean | null): { term: string; value: ReactNode }[] {
  const place = { term: "Number", value: seq };
  if (chain === null) return [place, { term: "Hash", value: "Not chained yet" }];
  const verdict = verified === null ? "Not checked here; use Verify" : verified ? "Verified" : "Does not hold";
  return [
    place,
    { term: "Proof", value: verdict },
    { term: "Hash", value: <Digest value={chain.hash} label="hash" /> },
    { term: "Hash before", value: <Digest value={chain.prevHash} label="hash of the event before" /> },
  ];
}

function code(text: string | null): ReactNode {
  return text === null ? null : <code className="break-all font-mono text-xs">{text}</code>;
}

function isSomething(value: unknown): boolean {
  return value !== null && value !== undefined && !(typeof value === "object" && Object.keys(value).length === 0);
}
