"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { useState } from "react";
import { QueryState } from "@/components/state/query-state";
import { useNow } from "@/components/state/use-now";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { EmptyState } from "@/components/ui/empty-state";
import { RelativeTime } from "@/components/ui/relative-time";
import { Section } from "@/components/ui/section";
import { SkeletonRows } from "@/components/ui/skeleton-rows";
import { ActionsHeader, Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";
import { type ApiToken, revokeToken, tokensQuery } from "@/lib/client/tokens";
import { CreateTokenDialog } from "./create-token-dialog";

export function TokenSection() {
  const query = useQuery(tokensQuery);
  const [isCreating, setCreating] = useState(false);
  const create = (
    <Button variant="primary" onClick={() => setCreating(true)}>
      Create token
    </Button>
  );
  const isEmpty = query.data?.items.length === 0;
  return (
    <Section
      title="API tokens"
      description="For programs and agents that act in your name."
      actions={isEmpty ? null : create}
    >
      <QueryState
        query={query}
        loading={<SkeletonRows rows={3} />}
        errorTitle="Your tokens could not be loaded."
        isEmpty={(page) => page.items.length === 0}
        empty={
          <EmptyState
            icon={KeyRound}
            title="You have no tokens"
            description="With a token a program calls the API as you, within the scopes you choose."
            action={create}
          />
        }
      >
        {(page) => <TokenTable tokens={page.items} />}
      </QueryState>
      <CreateTokenDialog open={isCreating} onOpenChange={setCreating} />
    </Section>
  );
}

function TokenTable({ tokens }: { tokens: readonly ApiToken[] }) {
  const queries = useQueryClient();
  const [asked, setAsked] = useState<ApiToken | null>(null);
  const revoke = useMutation({
    mutationFn: revokeToken,
    onSuccess: () => queries.invalidateQueries({ queryKey: tokensQuery.queryKey }),
  });
  return (
    <>
      <Table label="API tokens">
        <TableHead>
          <tr>
            <TableHeader>Name</TableHeader>
            <TableHeader>Scopes</TableHeader>
            <TableHeader className="max-md:hidden">Last used</TableHeader>
            <TableHeader className="max-md:hidden">Expires</TableHeader>
            <ActionsHeader />
          </tr>
        </TableHead>
        <TableBody>
          {tokens.map((token) => (
            <TableRow key={token.id}>
              <TableCell className="font-medium">
                {token.name}
                {token.personaName ? (
                  <span className="font-normal text-muted-foreground"> as {token.personaName}</span>
                ) : null}
              </TableCell>
              <TableCell muted>{token.scopes.join(", ")}</TableCell>
              <TableCell muted className="max-md:hidden">
                {token.lastUsedAt ? <RelativeTime value={token.lastUsedAt} /> : "Never"}
              </TableCell>
              <TableCell muted className="max-md:hidden">
                <Expiry at={token.expiresAt} />
              </TableCell>
              <TableCell align="right">
                <Button size="sm" onClick={() => setAsked(token)} aria-label={`Revoke ${token.name}`}>
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
        description="What uses it is refused from the next request on. This cannot be undone."
        confirmLabel="Revoke token"
        tone="danger"
        onConfirm={() => (asked ? revoke.mutateAsync(asked.id) : undefined)}
      />
    </>
  );
}

function Expiry({ at }: { at: string | null }) {
  const now = useNow();
  if (at === null) return "Never";
  if (now !== null && Date.parse(at) <= now) return <Badge tone="danger">Expired</Badge>;
  return <RelativeTime value={at} />;
}
