"use client";

import { useQuery } from "@tanstack/react-query";
import { BrainCircuit } from "lucide-react";
import { useState } from "react";
import { QueryState } from "@/components/state/query-state";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Section } from "@/components/ui/section";
import { SkeletonRows } from "@/components/ui/skeleton-rows";
import { ActionsHeader, Table, TableBody, TableHead, TableHeader, TableRow } from "@/components/ui/table";
import { type ModelEndpoint, modelEndpointsQuery } from "@/lib/client/models";
import { ModelDialog } from "./model-dialog";
import { ModelRow } from "./model-row";

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
        loading={<SkeletonRows rows={3} />}
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
