"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link2 } from "lucide-react";
import { useState } from "react";
import { QueryState } from "@/components/state/query-state";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { EmptyState } from "@/components/ui/empty-state";
import { RelativeTime } from "@/components/ui/relative-time";
import { Section } from "@/components/ui/section";
import { SkeletonRows } from "@/components/ui/skeleton-rows";
import { ActionsHeader, Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";
import { type CapabilityUrl, capabilityUrlsQuery, revokeCapabilityUrl } from "@/lib/client/capability-urls";
import { CreateCapabilityUrlDialog } from "./create-capability-url-dialog";

/** Addresses for clients that cannot sign in. */
export function CapabilityUrlSection() {
  const query = useQuery(capabilityUrlsQuery);
  const [isCreating, setCreating] = useState(false);
  const create = <Button onClick={() => setCreating(true)}>Create capability URL</Button>;
  const isEmpty = query.data?.items.length === 0;
  return (
    <Section
      title="Capability URLs"
      description="Addresses with which a client installs your skills without signing in. Whoever has one can read, and nothing else."
      actions={isEmpty ? null : create}
    >
      <QueryState
        query={query}
        loading={<SkeletonRows rows={2} />}
        errorTitle="Your capability URLs could not be loaded."
        isEmpty={(page) => page.items.length === 0}
        empty={
          <EmptyState
            icon={Link2}
            title="You have no capability URLs"
            description="Programs such as npx skills send no token. Give them an address of their own to install private skills."
            action={create}
          />
        }
      >
        {(page) => <CapabilityUrlTable urls={page.items} />}
      </QueryState>
      <CreateCapabilityUrlDialog open={isCreating} onOpenChange={setCreating} />
    </Section>
  );
}

function CapabilityUrlTable({ urls }: { urls: readonly CapabilityUrl[] }) {
  const queries = useQueryClient();
  const [asked, setAsked] = useState<CapabilityUrl | null>(null);
  const revoke = useMutation({
    mutationFn: revokeCapabilityUrl,
    onSuccess: () => queries.invalidateQueries({ queryKey: capabilityUrlsQuery.queryKey }),
  });
  return (
    <>
      <Table label="Capability URLs">
        <TableHead>
          <tr>
            <TableHeader>Name</TableHeader>
            <TableHeader>Shows</TableHeader>
            <TableHeader className="max-md:hidden">Last used</TableHeader>
            <TableHeader className="max-md:hidden">Expires</TableHeader>
            <ActionsHeader />
          </tr>
        </TableHead>
        <TableBody>
          {urls.map((url) => (
            <TableRow key={url.id}>
              <TableCell className="font-medium">
                {url.name} <code className="font-mono font-normal text-muted-foreground text-xs">/t/{url.prefix}…</code>
              </TableCell>
              <TableCell muted>{url.scope.label}</TableCell>
              <TableCell muted className="max-md:hidden">
                {url.lastUsedAt ? <RelativeTime value={url.lastUsedAt} /> : "Never"}
              </TableCell>
              <TableCell muted className="max-md:hidden">
                {url.expired ? <Badge tone="danger">Expired</Badge> : <RelativeTime value={url.expiresAt} />}
              </TableCell>
              <TableCell align="right">
                <Button size="sm" onClick={() => setAsked(url)} aria-label={`Revoke ${url.name}`}>
                  Revoke
                </Button>
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
      <ConfirmDialog
        open={asked !== null}
        onOpenChange={(open) => !open && setAsked(null)}
        title={`Revoke “${asked?.name ?? ""}”?`}
        description="Clients that use it find nothing from the next request on. What they installed stays. This cannot be undone."
        confirmLabel="Revoke URL"
        tone="danger"
        onConfirm={() => (asked ? revoke.mutateAsync(asked.id) : undefined)}
      />
    </>
  );
}
