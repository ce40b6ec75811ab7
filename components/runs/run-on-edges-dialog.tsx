"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useId, useState } from "react";
import { errorText } from "@/components/state/describe-error";
import { QueryState } from "@/components/state/query-state";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Dialog, DialogClose, DialogContent } from "@/components/ui/dialog";
import { Notice } from "@/components/ui/notice";
import { edgesQuery, startRunGroup } from "@/lib/client/edges";
import type { Skill } from "@/lib/skills/schema";
import { describeEdge } from "./use-edge-choices";

type RunOnEdgesProps = { skill: Skill; args: Record<string, unknown>; disabled: boolean };

/** For skills of scope host: the same arguments on several edges, shown side by side afterwards. */
export function RunOnEdgesDialog({ skill, args, disabled }: RunOnEdgesProps) {
  const [isOpen, setOpen] = useState(false);
  if (skill.scope !== "host") return null;
  return (
    <>
      <Button disabled={disabled} onClick={() => setOpen(true)}>
        Run on several edges
      </Button>
      <Dialog open={isOpen} onOpenChange={setOpen}>
        {isOpen ? <ChooseEdges skill={skill} args={args} /> : null}
      </Dialog>
    </>
  );
}

function ChooseEdges({ skill, args }: Omit<RunOnEdgesProps, "disabled">) {
  const id = useId();
  const router = useRouter();
  const query = useQuery(edgesQuery(skill.id));
  const [changed, setChanged] = useState<ReadonlyMap<string, boolean>>(new Map());
  const chosen = (query.data ?? []).filter((edge) => changed.get(edge.id) ?? edge.online);
  const { edge_id: _one, ...own } = args;
  const start = useMutation({
    mutationFn: () =>
      startRunGroup({
        skillId: skill.id,
        args: own,
        edges: chosen.map((edge) => edge.id),
        confirm: skill.class !== "safe",
      }),
    onSuccess: ({ groupId }) => router.push(`/runs/groups/${groupId}`),
  });
  const changes = skill.class === "safe" ? "" : ` It is ${skill.class}, and changes things on each of them.`;
  return (
    <DialogContent
      title="Run on several edges"
      description={`One run of ${skill.label ?? skill.name} on each edge, with the arguments of the form.${changes}`}
      footer={
        <>
          <DialogClose asChild>
            <Button>Cancel</Button>
          </DialogClose>
          <Button
            variant={skill.class === "safe" ? "primary" : "danger"}
            pending={start.isPending}
            disabled={chosen.length === 0}
            onClick={() => start.mutate()}
          >
            Run on {chosen.length} {chosen.length === 1 ? "edge" : "edges"}
          </Button>
        </>
      }
    >
      <QueryState
        query={query}
        errorTitle="The edges could not be loaded."
        isEmpty={(edges) => edges.length === 0}
        empty={<p className="text-13 text-muted-foreground">No edge offers this skill now.</p>}
      >
        {(edges) => (
          <ul aria-label="Edges" className="flex flex-col gap-1">
            {edges.map((edge) => (
              <li key={edge.id} className="flex min-h-8 items-center gap-2.5 text-13">
                <Checkbox
                  id={`${id}-${edge.id}`}
                  checked={changed.get(edge.id) ?? edge.online}
                  onCheckedChange={(on) => setChanged(new Map(changed).set(edge.id, on === true))}
                />
                <label htmlFor={`${id}-${edge.id}`}>{describeEdge(edge)}</label>
              </li>
            ))}
          </ul>
        )}
      </QueryState>
      {start.error ? (
        <Notice tone="danger" title="Nothing was started" announce>
          {errorText(start.error)}
        </Notice>
      ) : null}
    </DialogContent>
  );
}
