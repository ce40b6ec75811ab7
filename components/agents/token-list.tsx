"use client";

import { useQuery } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import Link from "next/link";
import { QueryState } from "@/components/state/query-state";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { RelativeTime } from "@/components/ui/relative-time";
import { Section } from "@/components/ui/section";
import { ActionsHeader, Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";
import { sessionFacetsQuery } from "@/lib/client/agents";
import { type ApiToken, tokensQuery } from "@/lib/client/tokens";

/** The person's own tokens, those of agents first. */
export function TokenList() {
  const query = useQuery(tokensQuery);
  const isEmpty = query.data?.items.length === 0;
  const settings = (
    <Button asChild>
      <Link href="/settings/tokens">Manage tokens</Link>
    </Button>
  );
  return (
    <Section
      title="Tokens"
      description="What your agents come with. Tokens are created and revoked in the settings."
      actions={isEmpty ? null : settings}
    >
      <QueryState
        query={query}
        skeletonRows={3}
        errorTitle="Your tokens could not be loaded."
        isEmpty={({ items }) => items.length === 0}
        empty={
          <EmptyState
            icon={KeyRound}
            title="You have no tokens"
            description="An agent comes with a token that acts under a persona. It is shown once, when you create it."
            action={settings}
          />
        }
      >
        {({ items }) => (
          <TokenTable tokens={[...items].sort((a, b) => Number(a.persona === null) - Number(b.persona === null))} />
        )}
      </QueryState>
    </Section>
  );
}

function TokenTable({ tokens }: { tokens: readonly ApiToken[] }) {
  const { data } = useQuery(sessionFacetsQuery);
  const sessions = new Map(data?.tokens.map(({ id, sessions: count }) => [id, count]));
  return (
    <Table label="Tokens">
      <TableHead>
        <tr>
          <TableHeader>Name</TableHeader>
          <TableHeader>Acts under</TableHeader>
          <TableHeader className="max-md:hidden">Scopes</TableHeader>
          <TableHeader className="max-md:hidden">Last used</TableHeader>
          <TableHeader align="right" className="max-md:hidden">
            Sessions
          </TableHeader>
          <ActionsHeader />
        </tr>
      </TableHead>
      <TableBody>
        {tokens.map((token) => (
          <TableRow key={token.id}>
            <TableCell className="max-w-48 truncate font-medium" title={token.name}>
              {token.name}
            </TableCell>
            <TableCell muted={token.persona === null}>{token.personaName ?? "No persona: acts as you"}</TableCell>
            <TableCell muted className="max-md:hidden">
              {token.scopes.join(", ")}
            </TableCell>
            <TableCell muted className="max-md:hidden">
              {token.lastUsedAt ? <RelativeTime value={token.lastUsedAt} /> : "Never"}
            </TableCell>
            <TableCell numeric muted className="max-md:hidden">
              {sessions.get(token.id) ?? 0}
            </TableCell>
            <TableCell align="right">
              <Button size="sm" asChild>
                <Link href={`/agents?token=${token.id}`} aria-label={`Sessions of ${token.name}`}>
                  Sessions
                </Link>
              </Button>
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}
