"use client";

import { useQuery } from "@tanstack/react-query";
import { ChevronDown, ChevronUp } from "lucide-react";
import Link from "next/link";
import { useShortcut } from "@/components/shell/use-shortcut";
import { QueryState } from "@/components/state/query-state";
import { Button } from "@/components/ui/button";
import { Drawer, DrawerContent } from "@/components/ui/drawer";
import { formatExactTime } from "@/components/ui/format-time";
import { IconButton } from "@/components/ui/icon-button";
import { type AuditDetail, auditEventQuery } from "@/lib/client/audit";
import { EventDetails } from "./event-details";

type AuditDrawerProps = {
  /** The event's number; null while none is shown. */
  seq: number | null;
  /** What stands beside it in the list; null when the list does not show it. */
  beside: { newer: number | null; older: number | null } | null;
  onMove: (seq: number | null) => void;
};

/** Everything that was written down of one event, and the ways on from it. */
export function AuditDrawer({ seq, beside, onMove }: AuditDrawerProps) {
  const query = useQuery(auditEventQuery(seq));
  const detail = seq === null ? undefined : query.data;
  const { newer, older } = beside ?? detail ?? { newer: null, older: null };
  const move = (to: number | null | undefined) => to && onMove(to);
  useShortcut("j", "Older event", () => move(older), { enabled: seq !== null, inDialogs: true });
  useShortcut("k", "Newer event", () => move(newer), { enabled: seq !== null, inDialogs: true });
  return (
    <Drawer open={seq !== null} onOpenChange={(open) => !open && onMove(null)}>
      {seq === null ? null : (
        <DrawerContent
          size="lg"
          title={detail ? `${detail.event.actor.name} ${detail.event.summary}` : `Event ${seq}`}
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
    { href: `/audit?around=${event.seq}`, label: "Everything around this moment" },
  ];
  return all.map(({ href, label }) =>
    href === null ? null : (
      <Button key={label} asChild>
        <Link href={href}>{label}</Link>
      </Button>
    ),
  );
}
