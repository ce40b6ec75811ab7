"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { type Column, DataTable, timeColumn } from "@/components/lists/data-table";
import { skillHref } from "@/components/skills/skill-labels";
import { QueryState } from "@/components/state/query-state";
import { Badge } from "@/components/ui/badge";
import { CopyButton } from "@/components/ui/copy-button";
import { DefinitionList } from "@/components/ui/definition-list";
import { formatBytes } from "@/components/ui/format-bytes";
import { formatDuration } from "@/components/ui/format-time";
import { Notice } from "@/components/ui/notice";
import { RelativeTime } from "@/components/ui/relative-time";
import { Section } from "@/components/ui/section";
import { backupsQuery, jobsQuery, systemQuery } from "@/lib/client/system";
import type { System } from "@/lib/http/schema";
import { Folded } from "./folded";
import { checkLabels, systemProblems } from "./problems";

export function SystemOverview() {
  const query = useQuery(systemQuery);
  return (
    <QueryState query={query} skeletonRows={6} errorTitle="The system state could not be loaded.">
      {(system) => (
        <>
          <Health system={system} />
          <Section title="This instance">
            <Facts system={system} />
            {system.processes.length > 1 ? (
              <DataTable
                label="Web processes"
                rows={system.processes}
                rowId={({ name }) => name}
                columns={processColumns}
              />
            ) : null}
          </Section>
          <Unserved unserved={system.unserved} />
        </>
      )}
    </QueryState>
  );
}

/** What is wrong comes first; checks that hold are one line. */
function Health({ system }: { system: System }) {
  const { data: backups } = useQuery(backupsQuery);
  const { data: jobs } = useQuery(jobsQuery);
  const problems = systemProblems({ system, backups, jobs });
  const held = system.readiness.checks.filter(({ ok }) => ok).map(({ name }) => checkLabels[name].ok);
  return (
    <Section title="Health">
      {problems.map(({ id, tone, title, detail, href, link }) => (
        <Notice
          key={id}
          tone={tone}
          title={title}
          action={
            href ? (
              <a href={href} className="shrink-0 underline underline-offset-2">
                {link}
              </a>
            ) : null
          }
        >
          {detail}
        </Notice>
      ))}
      <p className="flex flex-wrap items-center gap-2 text-13 text-muted-foreground">
        {problems.length === 0 ? <Badge tone="success">Nothing needs attention</Badge> : null}
        {held.join(" · ")}
      </p>
    </Section>
  );
}

function Facts({ system }: { system: System }) {
  const { database, disk, queue, audit, metrics } = system;
  const size = database.bytes === null ? "" : `, ${formatBytes(database.bytes)}`;
  const wal = database.walBytes === null ? "" : ` and ${formatBytes(database.walBytes)} in its write-ahead log`;
  return (
    <DefinitionList
      items={[
        { term: "Version", value: `${system.version} on Node.js ${system.process.node}` },
        { term: "Started", value: <RelativeTime value={system.startedAt} /> },
        {
          term: "Process",
          value: (
            <>
              {formatBytes(system.process.memoryBytes)} of memory, {system.process.requests} active requests,{" "}
              {system.process.streams} open streams
              <code className="block break-all font-mono text-muted-foreground text-xs">{system.process.name}</code>
            </>
          ),
        },
        { term: "Database", value: `${providerLabels[database.provider]}${size}${wal}` },
        {
          term: "Schema",
          value: (
            <>
              {database.migrations} migrations applied
              <code className="block break-all font-mono text-muted-foreground text-xs">{database.lastMigration}</code>
            </>
          ),
        },
        {
          term: "Disk",
          value:
            disk.freeBytes === null
              ? "Free space unknown"
              : `${formatBytes(disk.freeBytes)} free; the server refuses writes below ${formatBytes(disk.leastFreeBytes)}`,
        },
        {
          term: "Queue",
          value: `${queue.queued} queued, ${queue.running} running${queue.queued > 0 ? `; oldest waiting for ${formatDuration(queue.oldestSeconds * 1000)}` : ""}`,
        },
        {
          term: "Workers",
          value: `${queue.workers.online} online, ${queue.workers.busy} of ${queue.workers.slots} slots busy`,
        },
        { term: "Audit log", value: <Audit audit={audit} /> },
        {
          term: "Metrics",
          value: (
            <span className="inline-flex flex-wrap items-center gap-1.5">
              <code className="break-all font-mono text-xs">{metrics.address}</code>
              <CopyButton value={metrics.address} label="Copy metrics URL" />
              <span className="text-muted-foreground">
                {metrics.hasToken ? "Needs the metrics token" : "Needs the token of an admin; no metrics token is set"}
              </span>
            </span>
          ),
        },
      ]}
    />
  );
}

const providerLabels: Record<System["database"]["provider"], string> = { sqlite: "SQLite", postgresql: "PostgreSQL" };

function Audit({ audit: { head, verified } }: { audit: System["audit"] }) {
  return (
    <span className="inline-flex flex-wrap items-center gap-1.5">
      Newest event: {head}.
      {verified === null ? (
        <span className="text-muted-foreground">Never verified.</span>
      ) : (
        <>
          <Badge tone={verified.ok ? "success" : "danger"}>{verified.ok ? "Verified" : "Chain broken"}</Badge>
          <RelativeTime value={verified.at} className="text-muted-foreground" />
        </>
      )}
      <a href="/audit" className="text-primary underline underline-offset-2">
        Open audit log
      </a>
    </span>
  );
}

const processColumns: readonly Column<System["processes"][number]>[] = [
  {
    header: "Process",
    cell: ({ host, pid, isThis }) => (
      <>
        {host} <span className="text-muted-foreground">{pid}</span> {isThis ? <Badge>This process</Badge> : null}
      </>
    ),
  },
  { header: "Version", muted: true, className: "max-md:hidden", cell: ({ version }) => version },
  timeColumn("Started", ({ startedAt }) => startedAt),
];

type Item = System["unserved"]["items"][number];

type Missing = Item["missing"][number] & { item: Item; isFirst: boolean };

const missingColumns: readonly Column<Missing>[] = [
  { header: "Skill", cellClassName: "py-2", cell: ({ item, isFirst }) => (isFirst ? <Name item={item} /> : null) },
  { header: "Missing permission", cellClassName: "[overflow-wrap:anywhere]", cell: ({ what }) => what },
  {
    header: "Variable",
    cell: ({ variable }) =>
      variable === null ? (
        <span className="text-muted-foreground">No variable allows this</span>
      ) : (
        <code className="break-all font-mono text-xs">{variable}</code>
      ),
  },
  {
    header: "Worker",
    cell: ({ worker }) => (
      <>
        {worker.name}
        {worker.saysAllows ? null : (
          <span className="block text-muted-foreground text-xs">Older release: does not report its allowances</span>
        )}
      </>
    ),
  },
];

/**
 * Approved skills that no worker can run, with the variable that would allow each missing permission. Built-ins are
 * folded: most servers do not need all of them.
 */
export function Unserved({ unserved: { items, more } }: Pick<System, "unserved">) {
  if (items.length === 0) return null;
  const own = items.filter(({ builtin }) => !builtin);
  const builtins = items.filter(({ builtin }) => builtin);
  return (
    <div id="unserved" tabIndex={-1}>
      <Section
        title="Approved skills that no worker can run"
        description="Reviewers granted these skills more than the operator of any worker allows. Set the variable on a worker and restart it, or approve the skill with fewer permissions. Each skill below names it."
      >
        {own.length > 0 ? (
          <>
            <p className="text-13">
              Their runs fail until an operator allows what is missing (code worker_does_not_allow).
            </p>
            <MissingTable label="Approved skills that no worker can run" items={own} />
          </>
        ) : null}
        {builtins.length > 0 ? (
          <Folded summary={`${builtins.length} built-in ${builtins.length === 1 ? "skill" : "skills"}`}>
            <MissingTable label="Built-in skills that no worker can run" items={builtins} />
          </Folded>
        ) : null}
        {more > 0 ? <p className="text-13 text-muted-foreground">and {more} more</p> : null}
      </Section>
    </div>
  );
}

function MissingTable({ label, items }: { label: string; items: readonly Item[] }) {
  return (
    <DataTable
      label={label}
      rows={items.flatMap((item) => item.missing.map((missing, index) => ({ ...missing, item, isFirst: index === 0 })))}
      rowId={({ item, worker, what }) => `${item.skill.id} ${worker.id} ${what}`}
      columns={missingColumns}
    />
  );
}

function Name({ item: { skill, builtin } }: { item: Item }) {
  return (
    <span className="inline-flex flex-wrap items-center gap-1.5">
      <Link href={skillHref(skill)} className="font-medium hover:underline">
        {skill.name}
      </Link>
      {builtin ? <Badge>Built-in</Badge> : null}
    </span>
  );
}
