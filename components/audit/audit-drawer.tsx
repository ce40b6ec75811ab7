"use client";

import { useQuery } from "@tanstack/react-query";
import { ChevronDown, ChevronUp } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
import { JsonTree } from "@/components/json/json-tree";
import { type Column, DataTable } from "@/components/lists/data-table";
import { useShortcut } from "@/components/shell/use-shortcut";
import { sentenceCase } from "@/components/skills/skill-labels";
import { QueryState } from "@/components/state/query-state";
import { Button } from "@/components/ui/button";
import { DefinitionList } from "@/components/ui/definition-list";
import { Digest } from "@/components/ui/digest";
import { Drawer, DrawerContent } from "@/components/ui/drawer";
import { formatDuration, formatExactTime } from "@/components/ui/format-time";
import { IconButton } from "@/components/ui/icon-button";
import { Section } from "@/components/ui/section";
import type { AuditDetail, AuditEvent } from "@/lib/audit/schema";
import { auditEventQuery } from "@/lib/client/audit";
import { actionLabel, capital } from "./action-labels";
import { decisionLabels, outcomeLabels } from "./audit-filters";
import { EventSentence } from "./audit-timeline";

type Json = Record<string, unknown>;

type AuditDrawerProps = {
  seq: number | null;
  /** The neighbouring events in the list; null when the list does not contain the event. */
  neighbours: { newer: number | null; older: number | null } | null;
  onMove: (seq: number | null) => void;
};

export function AuditDrawer({ seq, neighbours, onMove }: AuditDrawerProps) {
  const query = useQuery(auditEventQuery(seq));
  const detail = seq === null ? undefined : query.data;
  const { newer, older } = neighbours ?? detail ?? { newer: null, older: null };
  const move = (to: number | null | undefined) => to && onMove(to);
  useShortcut("j", "Older event", () => move(older), { enabled: seq !== null, inDialogs: true });
  useShortcut("k", "Newer event", () => move(newer), { enabled: seq !== null, inDialogs: true });
  return (
    <Drawer open={seq !== null} onOpenChange={(open) => !open && onMove(null)}>
      {seq === null ? null : (
        <DrawerContent
          size="lg"
          title={detail ? <EventSentence event={detail.event} /> : `Event ${seq}`}
          description={detail ? formatExactTime(Date.parse(detail.event.at)) : undefined}
          actions={
            <span className="flex">
              <IconButton label="Newer event" shortcut="k" disabled={!newer} onClick={() => move(newer)}>
                <ChevronUp aria-hidden />
              </IconButton>
              <IconButton label="Older event" shortcut="j" disabled={!older} onClick={() => move(older)}>
                <ChevronDown aria-hidden />
              </IconButton>
            </span>
          }
          footer={detail ? <Links detail={detail} /> : null}
        >
          <QueryState query={query} errorTitle="The event could not be loaded.">
            {(shown) => <EventDetails detail={shown} />}
          </QueryState>
        </DrawerContent>
      )}
    </Drawer>
  );
}

function Links({ detail: { event, links } }: { detail: AuditDetail }) {
  const version =
    event.versionDigest === null
      ? null
      : `/audit?${new URLSearchParams({ ...(event.skillId ? { skill: event.skillId } : {}), version: event.versionDigest })}`;
  const all = [
    { href: links.skill, label: "Open skill" },
    { href: links.version, label: "Open version" },
    { href: links.run, label: "Open run" },
    { href: links.approval, label: "Open approval" },
    { href: links.session, label: "Events of this session" },
    { href: version, label: "Events of this version" },
    { href: `/audit?around=${event.seq}`, label: "Show in timeline" },
  ];
  return all.map(({ href, label }) =>
    href === null ? null : (
      <Button key={label} asChild>
        <Link href={href}>{label}</Link>
      </Button>
    ),
  );
}

function EventDetails({ detail: { event, verified } }: { detail: AuditDetail }) {
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
          <div className="overflow-hidden rounded-md border">
            <DataTable label="Changes" rows={changes} rowId={({ field }) => field} columns={changeColumns} />
          </div>
        </Section>
      ) : null}
      {parts.map(({ title, value }) =>
        hasContent(value) ? (
          <Section key={title} title={title} level={3}>
            {isFlat(value) ? (
              <DefinitionList
                items={Object.entries(value).map(([key, of]) => ({ term: sentenceCase(key), value: textOf(of) }))}
              />
            ) : (
              <JsonTree key={event.seq} value={value} label={`${title} of the event`} className="rounded-md border" />
            )}
          </Section>
        ) : null,
      )}
      <Section
        title="Chain"
        description="The hash covers the event and the hash before it, so that changes and gaps are found."
        level={3}
      >
        <DefinitionList items={chainOf(event, verified)} />
      </Section>
    </div>
  );
}

const actorKinds: Record<Exclude<AuditEvent["actor"]["kind"], "user">, string> = {
  token: "token",
  worker: "worker",
  system: "server",
  anonymous: "not signed in",
};

function factsOf(event: AuditEvent): { term: string; value: ReactNode }[] {
  const { actor, target } = event;
  const facts: { term: string; value: ReactNode }[] = [
    { term: "Outcome", value: outcomeLabels[event.outcome] },
    { term: "Action", value: actionLabel(event.action) },
    { term: "Count", value: event.count > 1 ? event.count : null },
    {
      term: "Actor",
      value: `${actor.name} (${actor.kind === "user" ? (actor.role ?? "person") : actorKinds[actor.kind]})`,
    },
    { term: "On behalf of", value: event.onBehalfOf?.name ?? null },
    { term: "Requested through", value: event.callerKind && capital(event.callerKind) },
    { term: "Decision", value: event.decision === null ? null : decisionLabels[event.decision] },
    { term: "Rule", value: code(event.rule) },
    { term: "Signed by", value: event.approvers.map(({ name }) => name).join(", ") || null },
    { term: "Target", value: target ? `${target.name} (${target.kind.replaceAll("_", " ")})` : null },
    { term: "Tool", value: code(event.tool) },
    { term: "Class", value: event.class && capital(event.class) },
    { term: "Role", value: event.runId === null || event.role === null ? null : capital(event.role) },
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
    { term: "Duration", value: event.durationMs === null ? null : formatDuration(event.durationMs) },
    { term: "Address", value: event.address },
    { term: "Device", value: event.device },
    { term: "Session id", value: code(event.sessionId) },
    { term: "Request id", value: code(event.requestId) },
    { term: "Trace id", value: event.traceId === event.requestId ? null : code(event.traceId) },
  ];
  return facts.filter(({ value }) => value !== null);
}

function chainOf({ seq, chain }: AuditEvent, verified: boolean | null): { term: string; value: ReactNode }[] {
  const place = { term: "Number", value: seq };
  if (chain === null) return [place, { term: "Hash", value: "Not in the chain yet" }];
  const verdict = verified === null ? "Not verified; use Verify" : verified ? "Verified" : "Broken";
  return [
    place,
    { term: "Verification", value: verdict },
    { term: "Hash", value: <Digest value={chain.hash} label="hash" /> },
    { term: "Previous hash", value: <Digest value={chain.prevHash} label="hash of the previous event" /> },
  ];
}

function code(text: string | null): ReactNode {
  return text === null ? null : <code className="break-all font-mono text-xs">{text}</code>;
}

function hasContent(value: unknown): boolean {
  return value !== null && value !== undefined && !(typeof value === "object" && Object.keys(value).length === 0);
}

/** The fields of `before` and `after`, if the event has both. */
function readChanges(data: Json): { field: string; before: unknown; after: unknown }[] {
  const { before, after } = data;
  if (!isObject(before) || !isObject(after)) return [];
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return fields.map((field) => ({ field, before: before[field], after: after[field] }));
}

const changeColumns: readonly Column<ReturnType<typeof readChanges>[number]>[] = [
  { header: "Field", cell: ({ field }) => field },
  { header: "Before", muted: true, cellClassName: "break-all font-mono text-xs", cell: ({ before }) => textOf(before) },
  { header: "After", cellClassName: "break-all font-mono text-xs", cell: ({ after }) => textOf(after) },
];

function textOf(value: unknown): string {
  return value === undefined ? "–" : typeof value === "string" ? value : JSON.stringify(value);
}

/** Few plain values, which a list shows better than a tree. */
function isFlat(value: unknown): value is Json {
  return isObject(value) && Object.values(value).every((part) => part === null || typeof part !== "object");
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
