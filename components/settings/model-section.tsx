"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { BrainCircuit } from "lucide-react";
import { ConfirmButton } from "@/components/forms/confirm-button";
import { useAction } from "@/components/forms/use-action";
import { ListSection } from "@/components/lists/list-section";
import { errorText } from "@/components/state/describe-error";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { RelativeTime } from "@/components/ui/relative-time";
import { Switch } from "@/components/ui/switch";
import { ActionsHeader, Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";
import {
  changeModelEndpoint,
  modelEndpointsQuery,
  modelsKey,
  probeModelEndpoint,
  removeModelEndpoint,
} from "@/lib/client/models";
import type { ModelEndpoint } from "@/lib/settings/models/schema";
import { kindNames, ModelForm } from "./model-form";

export function ModelSection() {
  return (
    <ListSection
      title="Models"
      description="Language models for the playground and for evaluations. They receive the messages and playbooks used there."
      query={useQuery(modelEndpointsQuery)}
      skeletonRows={3}
      errorTitle="The model endpoints could not be loaded."
      empty={{
        icon: BrainCircuit,
        title: "No model endpoint is set",
        description:
          "Nothing is sent to a model until you add an endpoint: a server on this machine, or any service with OpenAI’s chat completions API or Anthropic’s messages API.",
      }}
      create="Add endpoint"
      dialog={(endpoint, close) => <ModelForm endpoint={endpoint} onDone={close} />}
    >
      {(endpoints, edit) => (
        <Table label="Model endpoints">
          <TableHead>
            <TableRow>
              <TableHeader>Endpoint</TableHeader>
              <TableHeader>Models</TableHeader>
              <TableHeader>API key</TableHeader>
              <TableHeader>Changed</TableHeader>
              <TableHeader>On</TableHeader>
              <ActionsHeader />
            </TableRow>
          </TableHead>
          <TableBody>
            {endpoints.map((endpoint) => (
              <ModelRow key={endpoint.id} endpoint={endpoint} onEdit={() => edit(endpoint)} />
            ))}
          </TableBody>
        </Table>
      )}
    </ListSection>
  );
}

function ModelRow({ endpoint, onEdit }: { endpoint: ModelEndpoint; onEdit: () => void }) {
  const { id, name, kind, baseUrl, models, credential, enabled, updatedAt, updatedBy } = endpoint;
  const probe = useMutation({ mutationFn: () => probeModelEndpoint(id) });
  const turn = useAction((next: boolean) => changeModelEndpoint(id, { enabled: next }), {
    refresh: [modelsKey],
    failed: `${name} was not changed.`,
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
          <Button size="sm" onClick={onEdit} aria-label={`Edit ${name}`}>
            Edit
          </Button>
          <ConfirmButton
            className="text-danger"
            aria-label={`Delete ${name}`}
            title={`Delete the endpoint ${name}?`}
            description="Conversations with its models stay readable but cannot continue. Its API key stays in Credentials."
            confirmLabel="Delete endpoint"
            onConfirm={() => removeModelEndpoint(id)}
            refresh={[modelsKey]}
          >
            Delete
          </ConfirmButton>
        </div>
      </TableCell>
    </TableRow>
  );
}
