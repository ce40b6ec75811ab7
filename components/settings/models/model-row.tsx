"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { errorText } from "@/components/state/describe-error";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { RelativeTime } from "@/components/ui/relative-time";
import { Switch } from "@/components/ui/switch";
import { TableCell, TableRow } from "@/components/ui/table";
import { useToast } from "@/components/ui/toast";
import { changeModelEndpoint, type ModelEndpoint, modelsKey, probeModelEndpoint } from "@/lib/client/models";
import { DeleteModelDialog } from "./delete-model-dialog";
import { kindNames } from "./kind-names";

type ModelRowProps = { endpoint: ModelEndpoint; onEdit: () => void };

export function ModelRow({ endpoint, onEdit }: ModelRowProps) {
  const { id, name, kind, baseUrl, models, credential, enabled, updatedAt, updatedBy } = endpoint;
  const queries = useQueryClient();
  const { toast } = useToast();
  const [isDeleting, setDeleting] = useState(false);
  const probe = useMutation({ mutationFn: () => probeModelEndpoint(id) });
  const turn = useMutation({
    mutationFn: (next: boolean) => changeModelEndpoint(id, { enabled: next }),
    onError: (error) => toast({ title: `${name} was not changed.`, description: errorText(error) }),
    onSettled: () => queries.invalidateQueries({ queryKey: modelsKey }),
  });
  const isOn = turn.isPending ? turn.variables : enabled;
  return (
    <TableRow>
      <TableCell className="min-w-52 py-2">
        <p className="font-medium">{name}</p>
        <p className="text-muted-foreground text-xs [overflow-wrap:anywhere]">
          {kindNames[kind]} · <span className="font-mono">{baseUrl}</span>
        </p>
        <p aria-live="polite" className="text-xs">
          {probe.data ? (
            <span className={cn("[overflow-wrap:anywhere]", probe.data.ok ? "text-success" : "text-danger")}>
              {probe.data.message} <span className="tabular-nums">({probe.data.milliseconds} ms)</span>
            </span>
          ) : probe.error ? (
            <span className="text-danger">{errorText(probe.error)}</span>
          ) : null}
        </p>
      </TableCell>
      <TableCell className="min-w-28 font-mono text-xs">
        <ul>
          {models.map((model, index) => (
            <li key={model} className="[overflow-wrap:anywhere]">
              {model}
              {index === 0 && models.length > 1 ? (
                <span className="font-sans text-muted-foreground"> (default)</span>
              ) : null}
            </li>
          ))}
        </ul>
      </TableCell>
      <TableCell className="font-mono text-xs">
        {credential ?? <span className="font-sans text-muted-foreground">None</span>}
      </TableCell>
      <TableCell muted className="whitespace-nowrap">
        <RelativeTime value={updatedAt} /> by {updatedBy}
      </TableCell>
      <TableCell>
        <Switch
          checked={isOn}
          onCheckedChange={(next) => turn.mutate(next)}
          aria-label={`${name} is ${isOn ? "on" : "off"}`}
        />
      </TableCell>
      <TableCell className="whitespace-nowrap text-right">
        <div className="inline-flex gap-2">
          <Button
            size="sm"
            pending={probe.isPending}
            disabled={!enabled}
            onClick={() => probe.mutate()}
            aria-label={`Test ${name}`}
          >
            Test
          </Button>
          <Button size="sm" onClick={onEdit} aria-label={`Change ${name}`}>
            Change
          </Button>
          <Button size="sm" className="text-danger" onClick={() => setDeleting(true)} aria-label={`Delete ${name}`}>
            Delete
          </Button>
        </div>
        <DeleteModelDialog endpoint={endpoint} open={isDeleting} onOpenChange={setDeleting} />
      </TableCell>
    </TableRow>
  );
}
