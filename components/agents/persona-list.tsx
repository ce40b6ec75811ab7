"use client";

import { useQuery } from "@tanstack/react-query";
import { Bot } from "lucide-react";
import Link from "next/link";
import { ListSection } from "@/components/lists/list-section";
import { modeLabels } from "@/components/settings/persona-labels";
import { QueryState } from "@/components/state/query-state";
import { useMe } from "@/components/state/use-me";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { RelativeTime } from "@/components/ui/relative-time";
import { Section } from "@/components/ui/section";
import { SkeletonRows } from "@/components/ui/skeleton";
import type { AgentSessionFacets } from "@/lib/agent/sessions/schema";
import { sessionFacetsQuery } from "@/lib/client/agents";
import { type PermissionMode, personasQuery } from "@/lib/client/personas";
import { tokensQuery } from "@/lib/client/tokens";

type Row = { id: string; name: string; mode: PermissionMode | null };

/** All personas for admins; for other people, those of their own tokens. */
export function PersonaList() {
  const role = useMe()?.user.role;
  if (role === undefined) return <SkeletonRows rows={3} />;
  return role === "admin" ? <AllPersonas /> : <OwnPersonas />;
}

function AllPersonas() {
  const query = useQuery(personasQuery);
  const settings = (
    <Button asChild>
      <Link href="/settings/personas">Manage personas</Link>
    </Button>
  );
  return (
    <ListSection
      title="Personas"
      description="Profiles for agents: the skills they may use, and what they may do without a person."
      actions={query.data?.items.length === 0 ? null : settings}
      query={query}
      skeletonRows={3}
      errorTitle="The personas could not be loaded."
      empty={{
        icon: Bot,
        title: "No personas",
        description:
          "Each agent token acts under a persona. Add one in the settings, then choose it when you create the token.",
        action: settings,
      }}
    >
      {(items) => <Rows personas={items.map(({ id, name, permissionMode }) => ({ id, name, mode: permissionMode }))} />}
    </ListSection>
  );
}

function OwnPersonas() {
  const query = useQuery(tokensQuery);
  return (
    <Section title="Personas" description="The personas that your tokens act under. Admins manage them.">
      <QueryState
        query={query}
        skeletonRows={3}
        errorTitle="Your tokens could not be loaded."
        isEmpty={({ items }) => items.every(({ persona }) => persona === null)}
        empty={
          <EmptyState
            icon={Bot}
            title="None of your tokens acts under a persona"
            description="Ask an admin for an agent token: its persona defines which skills the agent may use."
          />
        }
      >
        {({ items }) => {
          const own = new Map(items.flatMap(({ persona, personaName }) => (persona ? [[persona, personaName]] : [])));
          return <Rows personas={[...own].map(([id, name]) => ({ id, name: name ?? "", mode: null }))} />;
        }}
      </QueryState>
    </Section>
  );
}

function Rows({ personas }: { personas: readonly Row[] }) {
  const { data } = useQuery(sessionFacetsQuery);
  const seen = new Map(data?.personas.map((persona) => [persona.id, persona]));
  return (
    <ul className="divide-y rounded-md border">
      {personas.map(({ id, name, mode }) => (
        <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3 text-13">
          <div className="min-w-48 flex-1">
            <p className="break-words font-medium">{name}</p>
            {mode ? <p>{modeLabels[mode].label}</p> : null}
            <LastSeen seen={seen.get(id)} isKnown={data !== undefined} />
          </div>
          <div className="flex flex-wrap gap-2">
            <Button size="sm" asChild>
              <Link href={`/agents?persona=${id}`} aria-label={`Sessions of ${name}`}>
                Sessions
              </Link>
            </Button>
            <Button size="sm" asChild>
              <Link href={`/agents/view?persona=${id}`} aria-label={`Agent view of ${name}`}>
                Agent view
              </Link>
            </Button>
          </div>
        </li>
      ))}
    </ul>
  );
}

function LastSeen({ seen, isKnown }: { seen: AgentSessionFacets["personas"][number] | undefined; isKnown: boolean }) {
  if (!isKnown) return null;
  return (
    <p className="text-muted-foreground text-xs">
      {seen ? (
        <>
          {seen.sessions === 1 ? "1 session" : `${seen.sessions} sessions`}, last seen{" "}
          <RelativeTime value={seen.lastSeenAt} />
        </>
      ) : (
        "Not used recently"
      )}
    </p>
  );
}
