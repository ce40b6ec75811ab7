"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useState } from "react";
import { useAction } from "@/components/forms/use-action";
import { countOf, reviewHref } from "@/components/skills/skill-labels";
import { QueryState } from "@/components/state/query-state";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { RelativeTime } from "@/components/ui/relative-time";
import { StateChip } from "@/components/ui/state-chip";
import { useToast } from "@/components/ui/toast";
import { inventoryQuery, rescanWorker } from "@/lib/client/workers";
import type { Worker } from "@/lib/runner/schema";
import type { Inventory } from "@/lib/runner/workers/schema";

export function WorkerInventory({ worker }: { worker: Worker }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="text-xs" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="w-fit cursor-default text-muted-foreground leading-6 hover:text-foreground">
        {worker.inventoryAt === null ? "No inventory reported" : countOf(worker.skills, "skill")}
      </summary>
      {isOpen ? <Contents worker={worker} /> : null}
    </details>
  );
}

function Contents({ worker }: { worker: Worker }) {
  const query = useQuery(inventoryQuery(worker.id));
  const { toast } = useToast();
  const rescan = useAction(() => rescanWorker(worker.id), {
    onDone: () => toast({ title: `${worker.name} rescans its directories.` }),
    failed: `${worker.name} was not asked to rescan.`,
  });
  return (
    <div className="my-2 flex flex-col gap-2">
      <QueryState query={query} skeletonRows={2} errorTitle="The inventory could not be loaded.">
        {(inventory) => (
          <>
            <Skills skills={inventory.skills} name={worker.name} />
            <Problems problems={inventory.problems} />
            <p className="flex flex-wrap items-center gap-2 text-muted-foreground">
              <Button
                size="sm"
                pending={rescan.isPending}
                onClick={() => rescan.mutate()}
                aria-label={`Rescan ${worker.name}`}
              >
                Rescan
              </Button>
              {inventory.at === null ? null : (
                <span>
                  Reported <RelativeTime value={inventory.at} />
                </span>
              )}
              {worker.online ? null : <span>Offline: it rescans when it reconnects.</span>}
            </p>
          </>
        )}
      </QueryState>
    </div>
  );
}

function Skills({ skills, name }: { skills: Inventory["skills"]; name: string }) {
  if (skills.length === 0) return <p className="text-muted-foreground">This worker has no skills of its own.</p>;
  return (
    <ul aria-label={`Skills of ${name}`} className="divide-y rounded-md border">
      {skills.map((item) => (
        <li key={item.path} className="flex flex-wrap items-center gap-x-2 gap-y-1 px-3 py-1.5">
          <Link href={`/skills/${encodeURIComponent(item.skill.id)}`} className="font-medium text-13 hover:underline">
            {item.skill.name}
          </Link>
          <Badge>{item.scope === "host" ? "Host" : "Manager"}</Badge>
          {item.kind === "builtin" ? <Badge>Built-in</Badge> : null}
          {item.version.state === "pending" ? (
            <Link href={reviewHref(item.skill.id, item.version.digest)} className="rounded-sm hover:underline">
              <StateChip state="pending" />
            </Link>
          ) : (
            <StateChip state={item.version.state} />
          )}
          {item.serves && !item.skill.enabled ? <span className="text-muted-foreground">Switched off</span> : null}
          <span className="min-w-0 basis-full truncate font-mono text-muted-foreground" title={item.path}>
            {item.path}
          </span>
        </li>
      ))}
    </ul>
  );
}

function Problems({ problems }: { problems: Inventory["problems"] }) {
  if (problems.length === 0) return null;
  return (
    <div>
      <p className="font-medium">
        {problems.length} {problems.length === 1 ? "problem" : "problems"}
      </p>
      <ul className="mt-1 list-disc space-y-0.5 pl-4 text-danger">
        {problems.map(({ path, message }) => (
          <li key={`${path} ${message}`} className="break-words">
            {message}
          </li>
        ))}
      </ul>
    </div>
  );
}
