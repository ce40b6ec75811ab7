"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { BrainCircuit } from "lucide-react";
import { useState } from "react";
import { errorText } from "@/components/state/describe-error";
import { QueryState } from "@/components/state/query-state";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { EmptyState } from "@/components/ui/empty-state";
import { RelativeTime } from "@/components/ui/relative-time";
import { Section } from "@/components/ui/section";
import { Switch } from "@/components/ui/switch";
import { ActionsHeader, Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";
import { useToast } from "@/components/ui/toast";
import {
  changeModelEndpoint,
  type ModelEndpoint,
  modelEndpointsQuery,
  modelsKey,
  probeModelEndpoint,
  removeModelEndpoint,
} from "@/lib/client/models";
import { kindNames } from "./kind-names";
import { ModelDialog } from "./model-dialog";

/** The servers of models that the playground, evaluations and the optimiser may talk to. */
export function ModelSection() {
  const query = useQuery(modelEndpointsQuery);
  const [edited, setEdited] = useState<ModelEndpoint | "new" | null>(null);
  return (
    <Section
      title="Models"
      description="Language models for the playground and for evaluations. What is said there is sent to them."
      actions={
        <Button variant="primary" onClick={() => setEdited("new")}>
          Add endpoint
        </Button>
      }
    >
      <QueryState
        query={query}
        skeletonRows={3}
        errorTitle="The model endpoints could not be loaded."
        isEmpty={(list) => list.items.length === 0}
        empty={
          <EmptyState
            icon={BrainCircuit}
            title="No model endpoint is set"
            description="Nothing is sent to any model until you add one: a server on this machine, or any address that speaks OpenAI’s chat completions or Anthropic’s messages."
          />
        }
      >
        {(list) => (
          <Table label="Model endpoints">
            <TableHead>
              <TableRow>
                <TableHeader>Endpoint</TableHeader>
                <TableHeader>Models</TableHeader>
                <TableHeader>Key</TableHeader>
                <TableHeader>Changed</TableHeader>
                <TableHeader>On</TableHeader>
                <ActionsHeader />
              </TableRow>
            </TableHead>
            <TableBody>
              {list.items.map((endpoint) => (
                <ModelRow key={endpoint.id} endpoint={endpoint} onEdit={() => setEdited(endpoint)} />
              ))}
            </TableBody>
          </Table>
        )}
      </QueryState>
      <ModelDialog edited={edited} onClose={() => setEdited(null)} />
    </Section>
  );
}

type ModelRowProps = { endpoint: ModelEndpoint; onEdit: () => void };

function ModelRow({ endpoint, onEdit }: ModelRowProps) {
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

type DeleteModelDialogProps = { endpoint: ModelEndpoint; open: boolean; onOpenChange: (open: boolean) => void };

function DeleteModelDialog({ endpoint, open, onOpenChange }: DeleteModelDialogProps) {
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () => removeModelEndpoint(endpoint.id),
    onSettled: () => queries.invalidateQueries({ queryKey: modelsKey }),
  });
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Delete the endpoint ${endpoint.name}?`}
      description="Conversations with its models stay readable and cannot go on. Its key stays among the credentials."
      confirmLabel="Delete endpoint"
      tone="danger"
      onConfirm={() => remove.mutateAsync()}
    />
  );
}
