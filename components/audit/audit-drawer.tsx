import Link from "next/link";
import type { ReactNode } from "react";
import { JsonTree } from "@/components/json/json-tree";
import { Button } from "@/components/ui/button";
import { DefinitionList } from "@/components/ui/definition-list";
import { Digest } from "@/components/ui/digest";
import { Drawer, DrawerContent } from "@/components/ui/drawer";
import { formatExactTime } from "@/components/ui/format-time";
import { Section } from "@/components/ui/section";
import type { AuditEvent } from "@/lib/client/audit";
import { ChangesTable, readChanges } from "./changes-table";

type AuditDrawerProps = { event: AuditEvent | null; onClose: () => void };

/** Everything that was written down of one event. */
export function AuditDrawer({ event, onClose }: AuditDrawerProps) {
  return (
    <Drawer open={event !== null} onOpenChange={(open) => !open && onClose()}>
      {event ? (
        <DrawerContent
          size="lg"
          title={`${event.actor.name} ${event.summary}`}
          description={formatExactTime(Date.parse(event.at))}
          footer={linksOf(event)}
        >
          <Details event={event} />
        </DrawerContent>
      ) : null}
    </Drawer>
  );
}

function Details({ event }: { event: AuditEvent }) {
  const changes = readChanges(event.data);
  const { before: _before, after: _after, ...rest } = event.data;
  const data = changes.length > 0 ? rest : event.data;
  return (
    <div className="flex flex-col gap-6">
      <DefinitionList items={factsOf(event)} />
      {changes.length > 0 ? (
        <Section title="Changes" level={3}>
          <ChangesTable changes={changes} />
        </Section>
      ) : null}
      {Object.keys(data).length > 0 ? (
        <Section title="Data" level={3}>
          <JsonTree key={event.seq} value={data} label="Data of the event" className="rounded-md border" />
        </Section>
      ) : null}
    </div>
  );
}

const outcomes = { ok: "Done", refused: "Refused", failed: "Failed" } as const;

function factsOf(event: AuditEvent): { term: string; value: ReactNode }[] {
  const { actor, target } = event;
  const facts: { term: string; value: ReactNode }[] = [
    { term: "Number", value: event.seq },
    { term: "Outcome", value: outcomes[event.outcome] },
    { term: "Action", value: code(event.action) },
    { term: "Times", value: event.count > 1 ? event.count : null },
    { term: "Actor", value: `${actor.name} (${actor.role ? `${actor.kind}, ${actor.role}` : actor.kind})` },
    { term: "Target", value: target ? `${target.name} (${target.kind})` : null },
    { term: "Tool", value: code(event.tool) },
    { term: "Class", value: event.class },
    {
      term: "Version",
      value: event.versionDigest === null ? null : <Digest value={event.versionDigest} label="version digest" />,
    },
    { term: "Run", value: code(event.runId) },
    { term: "Address", value: event.address },
    { term: "Device", value: event.device },
    { term: "Session", value: code(event.sessionId) },
    { term: "Request", value: code(event.requestId) },
  ];
  return facts.filter(({ value }) => value !== null);
}

function code(text: string | null): ReactNode {
  return text === null ? null : <code className="break-all font-mono text-xs">{text}</code>;
}

function linksOf(event: AuditEvent): ReactNode {
  const links = [
    event.skillId ? { href: `/skills/${event.skillId}`, label: "Open skill" } : null,
    event.skillId && event.versionDigest
      ? { href: `/reviews/${event.skillId}/${event.versionDigest}`, label: "Open version" }
      : null,
    event.runId ? { href: `/runs/${event.runId}`, label: "Open run" } : null,
  ].filter((link) => link !== null);
  if (links.length === 0) return null;
  return links.map(({ href, label }) => (
    <Button key={href} asChild>
      <Link href={href}>{label}</Link>
    </Button>
  ));
}
