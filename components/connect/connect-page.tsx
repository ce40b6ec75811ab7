"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useSearchParams } from "next/navigation";
import { useState } from "react";
import { DownloadButton } from "@/components/json/download-button";
import { useCrumbs } from "@/components/shell/crumbs";
import { Page } from "@/components/shell/page";
import { QueryState } from "@/components/state/query-state";
import { useUrlParams } from "@/components/state/use-url-params";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { Notice } from "@/components/ui/notice";
import { RelativeTime } from "@/components/ui/relative-time";
import { Section } from "@/components/ui/section";
import { tabListStyles, tabStyles } from "@/components/ui/tab-styles";
import { clientActivityQuery, connectionQuery } from "@/lib/client/connect";
import type { Connection } from "@/lib/distribution/schema";
import { clientSteps, type MadeSecrets } from "./client-steps";
import { type ClientKey, clientOf, clients, lastCallOf } from "./clients";
import { MakeSecrets } from "./make-secrets";

/** These clients see public skills, or the skills of a capability URL. */
const CLIENTS_WITHOUT_CREDENTIALS: readonly ClientKey[] = [
  "claude-code",
  "codex",
  "gemini-cli",
  "opencode",
  "openclaw",
  "skills",
  "git",
  "curl",
];

type ClientStepListProps = { client: ClientKey; connection: Connection; made: MadeSecrets };

const settingsPaths = [
  ["Linux", "/etc/claude-code/managed-settings.json"],
  ["macOS", "/Library/Application Support/ClaudeCode/managed-settings.json"],
  ["Windows", "C:\\Program Files\\ClaudeCode\\managed-settings.json"],
] as const;

/** Commands that connect each client to this server, or to the skill, publisher or collection in the address. */
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
    <Page title="Connect" description="Install approved skills with your own client.">
      <QueryState query={query} skeletonRows={6} errorTitle="The commands could not be loaded.">
        {(connection) => (
          // Secrets of one scope do not work for another.
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
        <ClientStatus client={client} />
        <ClientStepList client={client} connection={connection} made={made} />
        {client === "claude-code" ? <ManagedSettings connection={connection} /> : null}
      </div>
      <aside aria-label="Access" className="flex min-w-0 flex-col gap-7 max-lg:order-first">
        <MakeSecrets connection={connection} made={made} onAddress={setAddress} onToken={setToken} />
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
        {skills === 0 ? ", which has no skills yet that are approved and switched on" : ""}.
      </span>
      <Button asChild size="sm" variant="ghost">
        <Link href="/connect">Show commands for everything</Link>
      </Button>
    </p>
  );
}

/** Whether the client has called; updated every few seconds. */
function ClientStatus({ client }: { client: ClientKey }) {
  const { data } = useQuery(clientActivityQuery);
  const label = clients.find(({ key }) => key === client)?.label;
  const at = data ? lastCallOf(client, data.items) : null;
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

/** Settings for managed machines: Claude Code accepts marketplaces of this host only. */
function ManagedSettings({ connection }: { connection: Connection }) {
  const text = managedSettings(connection);
  return (
    <Section
      title="Allow this host only"
      description="Managed settings for Claude Code: people can add marketplaces of this server only. Its marketplace is added for them; updates and removals follow without a command."
    >
      <CodeBlock
        code={text}
        label="managed-settings.json"
        language="json"
        wrap
        actions={
          <DownloadButton label="Download managed-settings.json" filename="managed-settings.json" text={`${text}\n`} />
        }
      />
      <dl className="flex flex-col gap-1 text-muted-foreground text-xs">
        {settingsPaths.map(([system, path]) => (
          <div key={system}>
            <dt className="inline">{system}: </dt>
            <dd className="inline">
              <code className="break-all font-mono">{path}</code>
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

function ClientTabs({ current }: { current: ClientKey }) {
  const params = useSearchParams();
  const { data } = useQuery(clientActivityQuery);
  const hrefOf = (key: ClientKey) => {
    const next = new URLSearchParams(params);
    next.set("client", key);
    return `/connect?${next}`;
  };
  return (
    <nav aria-label="Clients" className={tabListStyles}>
      {clients.map(({ key, label }) => (
        <Link
          key={key}
          href={hrefOf(key)}
          replace
          scroll={false}
          aria-current={key === current ? "page" : undefined}
          data-active={key === current}
          className={tabStyles}
        >
          {label}
          {data && lastCallOf(key, data.items) ? (
            <span className="size-2 rounded-full bg-success-mark">
              <span className="sr-only">, connected</span>
            </span>
          ) : null}
        </Link>
      ))}
    </nav>
  );
}

function ClientStepList({ client, connection, made }: ClientStepListProps) {
  const isHidden = connection.skills > 0 && connection.publicSkills < connection.skills && made.address === null;
  return (
    <>
      {isHidden && CLIENTS_WITHOUT_CREDENTIALS.includes(client) ? (
        <Notice>{describeHidden(connection)} Create a capability URL, and the commands include all skills.</Notice>
      ) : null}
      <ol className="flex flex-col gap-6">
        {clientSteps(client, connection, made).map((step) => (
          <li key={step.label} className="flex min-w-0 flex-col gap-2">
            <div>
              <h2 className="text-sm">{step.title}</h2>
              {step.text ? <p className="text-13 text-muted-foreground">{step.text}</p> : null}
            </div>
            <CodeBlock code={step.code} label={step.label} language={languageOf(step.label)} wrap />
          </li>
        ))}
      </ol>
    </>
  );
}

/** The files that clients read are named by their label; all else is for a shell. */
function languageOf(label: string) {
  if (label.startsWith("TypeScript")) return "ts";
  return (["json", "toml"] as const).find((ending) => label.includes(`.${ending}`)) ?? "sh";
}

function describeHidden({ skills, publicSkills }: Connection): string {
  if (skills === 1) return "This skill is not public, so a client that does not sign in does not see it.";
  if (publicSkills === 0)
    return `None of these ${skills} skills is public: a client that does not sign in sees none of them.`;
  return `${publicSkills} of these ${skills} skills ${publicSkills === 1 ? "is" : "are"} public; a client that does not sign in sees no others.`;
}

/**
 * Managed settings of Claude Code (client 2.1.329) that allow marketplaces of this host only, and add this server’s
 * marketplace and keep it up to date (code.claude.com/docs/en/plugins/org).
 */
export function managedSettings({ url, instance }: Pick<Connection, "url" | "instance">): string {
  const { hostname, port } = new URL(url);
  // With or without the port, because the host differs between forms of an address.
  const hostPattern = `^${escapePattern(hostname)}${port === "" ? "" : `(:${port})?`}$`;
  return JSON.stringify(
    {
      strictKnownMarketplaces: [{ source: "hostPattern", hostPattern }],
      extraKnownMarketplaces: {
        [instance]: { source: { source: "url", url: `${url}/marketplace.json` }, autoUpdate: true },
      },
    },
    null,
    2,
  );
}

function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
