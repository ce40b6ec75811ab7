"use client";

import { useQuery } from "@tanstack/react-query";
import { QueryState } from "@/components/state/query-state";
import { Badge } from "@/components/ui/badge";
import { Section } from "@/components/ui/section";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";
import { type System, systemQuery } from "@/lib/client/system";

export function Configuration() {
  const query = useQuery(systemQuery);
  return (
    <Section
      title="Configuration in force"
      description="The environment that the process was started with. Secrets are never shown. What each means stands in docs/configuration.md; metrics, logs, shutdown and upgrades in docs/operators.md and docs/upgrading.md."
    >
      <QueryState query={query} skeletonRows={6} errorTitle="The configuration could not be loaded.">
        {({ configuration }) => <ConfigurationTable entries={configuration} />}
      </QueryState>
    </Section>
  );
}

function ConfigurationTable({ entries }: { entries: System["configuration"] }) {
  return (
    <Table label="Configuration in force">
      <TableHead>
        <tr>
          <TableHeader>Variable</TableHeader>
          <TableHeader>Value</TableHeader>
          <TableHeader className="max-md:hidden">Set</TableHeader>
        </tr>
      </TableHead>
      <TableBody>
        {entries.map((entry) => (
          <TableRow key={entry.name}>
            <TableCell className="py-2">
              <code className="block break-all font-mono text-xs">{entry.name}</code>
              <span className="block text-muted-foreground text-xs">{entry.description}</span>
            </TableCell>
            <TableCell>
              <Value entry={entry} />
            </TableCell>
            <TableCell className="max-md:hidden">{entry.isSet ? <Badge tone="accent">set</Badge> : null}</TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

function Value({ entry: { isSecret, isSet, value } }: { entry: System["configuration"][number] }) {
  if (isSecret) return <span className="text-muted-foreground">{isSet ? "secret, set" : "not set"}</span>;
  if (value === null) return <span className="text-muted-foreground">not set</span>;
  return <code className="break-all font-mono text-xs">{value}</code>;
}
