"use client";

import Link from "next/link";
import { useNow } from "@/components/state/use-now";
import { Badge } from "@/components/ui/badge";
import { RelativeTime } from "@/components/ui/relative-time";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";
import { type AgentSessionItem, mayGoOn } from "@/lib/client/agents";
import { LiveDot } from "./live-dot";
import { StepSparkline } from "./step-sparkline";
import { countList, countWords, limitTitle, limitWords, stepLooks } from "./step-words";

type SessionTableProps = { sessions: readonly AgentSessionItem[]; active: number };

export function SessionTable({ sessions, active }: SessionTableProps) {
  const now = useNow();
  return (
    <Table label="Sessions">
      <TableHead>
        <tr>
          <TableHeader>Client</TableHeader>
          <TableHeader className="max-md:hidden">Active skill</TableHeader>
          <TableHeader className="max-md:hidden">Steps</TableHeader>
          <TableHeader className="max-lg:hidden">Counts</TableHeader>
          <TableHeader align="right" className="max-md:hidden">
            Started
          </TableHeader>
          <TableHeader align="right">Last seen</TableHeader>
        </tr>
      </TableHead>
      <TableBody>
        {sessions.map((session, index) => (
          <TableRow key={session.id} active={index === active} data-row-index={index} className="relative">
            <TableCell className="max-w-80 py-1.5 max-md:w-full max-md:max-w-0">
              <span className="flex min-w-0 items-center gap-2">
                <LiveDot on={now !== null && mayGoOn(session, now)} />
                {/* The link covers its row, so that the whole row can be pressed. */}
                <Link
                  href={`/agents/${session.id}`}
                  className="min-w-0 truncate font-medium after:absolute after:inset-0 hover:underline"
                  title={session.client}
                >
                  {session.client}
                </Link>
              </span>
              <span className="block truncate text-muted-foreground text-xs" title={whoWords(session)}>
                {whoWords(session)}
              </span>
              <span className="block truncate text-muted-foreground text-xs md:hidden">
                {session.active
                  ? `${session.active.skill.name ?? "a skill"}, ${limitWords(session.active.tools)}`
                  : "No active skill"}
              </span>
              <span className="mt-0.5 flex items-center gap-2 md:hidden">
                <StepSparkline steps={session.recent} />
                <Refused counts={session.counts} />
              </span>
            </TableCell>
            <TableCell className="max-w-56 max-md:hidden">
              <ActiveSkill active={session.active} />
            </TableCell>
            <TableCell className="max-md:hidden">
              <StepSparkline steps={session.recent} />
            </TableCell>
            <TableCell className="max-lg:hidden">
              <Counts counts={session.counts} />
            </TableCell>
            <TableCell numeric muted className="max-md:hidden">
              <RelativeTime value={session.startedAt} />
            </TableCell>
            <TableCell numeric muted>
              <RelativeTime value={session.lastSeenAt} />
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

/** "Aiko as reader, by the token laptop". */
function whoWords({ person, persona, token }: AgentSessionItem): string {
  const who = `${person.name ?? "Somebody who left"}${persona ? ` as ${persona.name ?? "a deleted persona"}` : ""}`;
  return token ? `${who}, by the token ${token.name ?? "that is gone"}` : who;
}

function ActiveSkill({ active }: { active: AgentSessionItem["active"] }) {
  if (active === null) return <span className="text-muted-foreground">–</span>;
  return (
    <>
      <span className="block truncate" title={active.skill.name ?? undefined}>
        {active.skill.name ?? "A skill you do not see"}
      </span>
      <span className="block truncate text-muted-foreground text-xs" title={limitTitle(active.tools)}>
        {limitWords(active.tools)}
      </span>
    </>
  );
}

function Counts({ counts }: { counts: AgentSessionItem["counts"] }) {
  const { refused: _refused, ...others } = counts;
  return (
    <span
      className="flex flex-wrap items-center gap-x-2 text-muted-foreground text-xs tabular-nums"
      title={countWords(counts)}
    >
      <Refused counts={counts} />
      {countList(others).map(({ kind, count }) => (
        <span key={kind} className="whitespace-nowrap">
          {count} {stepLooks[kind].label.toLowerCase()}
        </span>
      ))}
    </span>
  );
}

function Refused({ counts: { refused = 0 } }: { counts: AgentSessionItem["counts"] }) {
  return refused > 0 ? <Badge tone="danger">{refused} refused</Badge> : null;
}
