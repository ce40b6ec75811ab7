"use client";

import { useQuery } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import Link from "next/link";
import { actionsColumn, type Column, DataTable, timeColumn } from "@/components/lists/data-table";
import { itemsOf, ListSection } from "@/components/lists/list-section";
import { Button } from "@/components/ui/button";
import type { ApiToken } from "@/lib/auth/schema";
import { sessionFacetsQuery } from "@/lib/client/agents";
import { tokensQuery } from "@/lib/client/tokens";
import { scopesText } from "../settings/scope-labels";

export function TokenList() {
  const query = useQuery(tokensQuery);
  const { data } = useQuery(sessionFacetsQuery);
  const sessions = new Map(data?.tokens.map(({ id, sessions: count }) => [id, count]));
  const settings = (
    <Button asChild>
      <Link href="/settings/tokens">Manage tokens</Link>
    </Button>
  );
  return (
    <ListSection
      title="Tokens"
      description="Tokens that your agents use. Create and revoke them in the settings."
      actions={query.data && itemsOf(query.data).length === 0 ? null : settings}
      query={query}
      skeletonRows={3}
      errorTitle="Your tokens could not be loaded."
      empty={{
        icon: KeyRound,
        title: "You have no tokens",
        description: "An agent uses a token that acts under a persona. The token is shown once, when you create it.",
        action: settings,
      }}
    >
      {(tokens) => (
        <DataTable
          label="Tokens"
          rows={[...tokens].sort((a, b) => Number(a.persona === null) - Number(b.persona === null))}
          rowId={({ id }) => id}
          columns={columnsWith(sessions)}
        />
      )}
    </ListSection>
  );
}

function columnsWith(sessions: ReadonlyMap<string, number>): readonly Column<ApiToken>[] {
  return [
    {
      header: "Name",
      cellClassName: "max-w-48 truncate font-medium",
      cellTitle: ({ name }) => name,
      cell: ({ name }) => name,
    },
    {
      header: "Persona",
      cell: ({ personaName }) => personaName ?? <span className="text-muted-foreground">None: acts as you</span>,
    },
    { header: "Scopes", muted: true, className: "max-md:hidden", cell: ({ scopes }) => scopesText(scopes) },
    timeColumn("Last used", ({ lastUsedAt }) => lastUsedAt, { className: "max-md:hidden" }),
    {
      header: "Sessions",
      numeric: true,
      muted: true,
      className: "max-md:hidden",
      cell: ({ id }) => sessions.get(id) ?? 0,
    },
    actionsColumn(({ id, name }) => (
      <Button size="sm" asChild>
        <Link href={`/agents?token=${id}`} aria-label={`Sessions of ${name}`}>
          Sessions
        </Link>
      </Button>
    )),
  ];
}
