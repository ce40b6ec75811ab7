"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useState } from "react";
import { useCrumbs } from "@/components/shell/crumbs";
import { Page } from "@/components/shell/page";
import { QueryState } from "@/components/state/query-state";
import { useUrlParams } from "@/components/state/use-url-params";
import { Button } from "@/components/ui/button";
import { RelativeTime } from "@/components/ui/relative-time";
import { SkeletonRows } from "@/components/ui/skeleton-rows";
import { type Connection, connectionQuery, sightingsQuery } from "@/lib/client/connect";
import { ClientStepList } from "./client-step-list";
import { ClientTabs } from "./client-tabs";
import { type ClientKey, clientOf, clients, lastSeen } from "./clients";
import { MakeSecrets } from "./make-secrets";
import { ManagedSettings } from "./managed-settings-section";

/** The commands with which each client reaches this server, or what the address names of it. */
export function ConnectPage() {
  useCrumbs([{ label: "Agents", href: "/agents" }, { label: "Connect" }]);
  const [params] = useUrlParams();
  const target = {
    ...(params.get("skill") ? { skill: params.get("skill") ?? "" } : {}),
    ...(params.get("publisher") ? { publisher: params.get("publisher") ?? "" } : {}),
    ...(params.get("collection") ? { collection: params.get("collection") ?? "" } : {}),
  };
  const query = useQuery(connectionQuery(target));
  return (
    <Page title="Connect" description="Install what is approved here with the client you have. No plug-in is needed.">
      <QueryState query={query} loading={<SkeletonRows rows={6} />} errorTitle="The commands could not be made.">
        {(connection) => (
          // What was made for one scope is of no use in another.
          <Commands key={`${connection.scope.kind} ${connection.scope.id}`} connection={connection} />
        )}
      </QueryState>
    </Page>
  );
}

function Commands({ connection }: { connection: Connection }) {
  const [params] = useUrlParams();
  const client = clientOf(params.get("client") ?? "");
  const [address, setAddress] = useState<string | null>(null);
  const [token, setToken] = useState<string | null>(null);
  const made = { address, token };
  return (
    <div className="grid gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="flex min-w-0 flex-col gap-5">
        <Scope connection={connection} />
        <ClientTabs current={client} />
        <Seen client={client} />
        <ClientStepList client={client} connection={connection} made={made} />
      </div>
      <aside aria-label="Access" className="flex min-w-0 flex-col gap-7">
        <MakeSecrets connection={connection} made={made} onAddress={setAddress} onToken={setToken} />
        {client === "claude-code" ? <ManagedSettings connection={connection} /> : null}
      </aside>
    </div>
  );
}

function Scope({ connection: { scope, skills } }: { connection: Connection }) {
  if (scope.kind === "root") return null;
  const words = { skill: "the skill", publisher: "all skills of", collection: "the collection" }[scope.kind];
  return (
    <p className="flex flex-wrap items-center gap-2 text-13">
      <span>
        For {words} <strong>{scope.label}</strong>
        {skills === 0 ? ", of which nothing is approved and switched on yet" : ""}.
      </span>
      <Button asChild size="sm" variant="ghost">
        <Link href="/connect">Show commands for everything</Link>
      </Button>
    </p>
  );
}

/** The mark comes by itself once the client has called. */
function Seen({ client }: { client: ClientKey }) {
  const { data } = useQuery(sightingsQuery);
  const label = clients.find(({ key }) => key === client)?.label;
  const at = data ? lastSeen(client, data.items) : null;
  return (
    <p role="status" className="flex items-center gap-2 text-13 text-muted-foreground">
      <span
        aria-hidden
        className={`size-2 shrink-0 rounded-full ${at ? "bg-success-mark" : "border border-input bg-background"}`}
      />
      {at ? (
        <span>
          {client === "mcp" ? "An MCP client" : label} has called this server, last <RelativeTime value={at} />.
        </span>
      ) : (
        <span>{client === "mcp" ? "No MCP client has" : `${label} has not`} called this server yet.</span>
      )}
    </p>
  );
}
