"use client";

import { useQuery } from "@tanstack/react-query";
import { type Column, DataTable } from "@/components/lists/data-table";
import { QueryState } from "@/components/state/query-state";
import { Section } from "@/components/ui/section";
import { systemQuery } from "@/lib/client/system";
import type { System } from "@/lib/http/schema";
import { Folded } from "./folded";

type Entry = System["configuration"][number];

const columns: readonly Column<Entry>[] = [
  {
    header: "Variable",
    cellClassName: "py-2",
    cell: ({ name, description }) => (
      <>
        <code className="block break-all font-mono text-xs">{name}</code>
        <span className="block text-muted-foreground text-xs">{description}</span>
      </>
    ),
  },
  { header: "Value", cell: (entry) => <Value entry={entry} /> },
];

export function Configuration() {
  const query = useQuery(systemQuery);
  return (
    <Section
      title="Active configuration"
      description="Environment variables of this process. Secret values are never shown. See docs/configuration.md for each variable, docs/operators.md for metrics, logs and shutdown, docs/upgrading.md for upgrades."
    >
      <QueryState query={query} skeletonRows={6} errorTitle="The configuration could not be loaded.">
        {({ configuration }) => (
          <>
            <VariableTable label="Variables that are set" rows={configuration.filter(({ isSet }) => isSet)} />
            <Folded summary={`${configuration.filter(({ isSet }) => !isSet).length} variables are not set`}>
              <VariableTable label="Variables that are not set" rows={configuration.filter(({ isSet }) => !isSet)} />
            </Folded>
          </>
        )}
      </QueryState>
    </Section>
  );
}

function VariableTable({ label, rows }: { label: string; rows: readonly Entry[] }) {
  return <DataTable label={label} rows={rows} rowId={({ name }) => name} columns={columns} />;
}

function Value({ entry: { isSecret, isSet, value } }: { entry: Entry }) {
  if (isSecret) return <span className="text-muted-foreground">{isSet ? "Set (secret)" : "Not set"}</span>;
  if (value === null) return <span className="text-muted-foreground">Not set</span>;
  return <code className="break-all font-mono text-xs">{value}</code>;
}
