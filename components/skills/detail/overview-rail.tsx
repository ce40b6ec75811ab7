import { useQuery } from "@tanstack/react-query";
import { TriangleAlert } from "lucide-react";
import Link from "next/link";
import { DiagnosticList } from "@/components/code/diagnostic-list";
import { RevealedText } from "@/components/code/hidden-notice";
import { ClassChip } from "@/components/ui/class-chip";
import { CodeBlock } from "@/components/ui/code-block";
import { DefinitionList } from "@/components/ui/definition-list";
import { ErrorState } from "@/components/ui/error-state";
import { Notice } from "@/components/ui/notice";
import { Section } from "@/components/ui/section";
import { Skeleton } from "@/components/ui/skeleton";
import { connectionQuery } from "@/lib/client/connect";
import { declaredToolsQuery, versionAdviceQuery } from "@/lib/client/versions";
import type { Skill } from "@/lib/skills/schema";
import type { ResolvedTool, Version } from "@/lib/skills/versions/schema";
import { PermissionList } from "../permission-list";
import { RunSparkline } from "../run-sparkline";
import { countOf, sentenceCase } from "../skill-labels";
import { PublisherLink } from "../status-badges";

import { ProvenanceList } from "../versions/provenance-list";
import { ExternalAddress } from "./external-address";
import { MetadataEditor } from "./metadata-editor";

export function OverviewRail({ skill, version }: { skill: Skill; version: Version }) {
  return (
    <aside aria-label="Skill facts" className="flex flex-col gap-7">
      <Section title="Permissions" level={3} className="gap-2">
        {version.state === "approved" ? null : (
          <p className="text-13 text-muted-foreground">Requested by version {version.number}, not approved yet</p>
        )}
        <PermissionList manifest={version.manifest} files={version.files} version={version} />
        {version.notServed ? (
          <Notice tone="warning" title="No worker can run this skill now">
            {version.notServed}
          </Notice>
        ) : null}
      </Section>
      <DeclaredTools version={version} />
      <Requirements version={version} />
      {skill.runnable ? <LastRuns skill={skill} /> : null}
      <InstallSkill skill={skill} />
      <Section title="Provenance" level={3} className="gap-2">
        <ProvenanceList version={version} />
      </Section>
      <MetadataEditor skill={skill} />
      <Section title="Details" level={3} className="gap-2">
        <Details skill={skill} />
      </Section>
      <QualityList version={version} />
    </aside>
  );
}

const requirementLabels: Record<string, string> = {
  bins: "Programs",
  anyBins: "One of these programs",
  env: "Environment variables",
  os: "Operating systems",
};

function Requirements({ version: { manifest } }: { version: Version }) {
  const entries = Object.entries(manifest.requires);
  if (entries.length === 0 && manifest.depends.length === 0) return null;
  return (
    <Section title="Requirements" level={3} className="gap-2">
      <DefinitionList
        items={[
          ...entries.map(([key, value]) => ({
            term: requirementLabels[key] ?? sentenceCase(key),
            value: <RevealedText text={requirementText(value)} />,
          })),
          ...(manifest.depends.length > 0
            ? [{ term: "Skills", value: <RevealedText text={manifest.depends.join(", ")} /> }]
            : []),
        ]}
      />
    </Section>
  );
}

function LastRuns({ skill }: { skill: Skill }) {
  const failed = skill.recentRuns.filter((run) => run.state === "failed").length;
  return (
    <Section title="Last runs" level={3} className="gap-2">
      {skill.recentRuns.length === 0 ? (
        <p className="text-13 text-muted-foreground">No runs yet</p>
      ) : (
        <p className="flex items-center gap-3 text-13">
          <RunSparkline runs={skill.recentRuns} />
          {countOf(skill.recentRuns.length, "run")}, {failed === 0 ? "none failed" : `${failed} failed`}
          <Link
            href={`/runs?skill=${encodeURIComponent(skill.id)}`}
            className="ml-auto text-primary underline underline-offset-2"
          >
            View all runs
          </Link>
        </p>
      )}
    </Section>
  );
}

function Details({ skill }: { skill: Skill }) {
  const facts = [
    [
      "Tool name",
      <code key="tool" className="font-mono text-xs">
        {skill.toolName}
      </code>,
    ],
    ["Publisher", <PublisherLink key="publisher" publisher={skill.publisher} />],
    ["Author", skill.author],
    ["Author’s version", skill.version],
    ["Licence", skill.license],
    ["Compatibility", skill.compatibility],
    ["Homepage", skill.homepage && <ExternalAddress key="home" href={skill.homepage} />],
    ["Installs", skill.installs > 0 ? skill.installs.toLocaleString("en") : null],
    ["Visible to", visibilityOf(skill)],
  ] as const;
  return (
    <DefinitionList
      items={facts.flatMap(([term, value]) =>
        value ? [{ term, value: typeof value === "string" ? <RevealedText text={value} /> : value }] : [],
      )}
    />
  );
}

function visibilityOf({ visibility, owner }: Skill): string {
  if (visibility === "public") return "Everyone, without signing in";
  return owner.kind === "org" ? "Everyone in the organisation" : "Its owner and people it is shared with";
}

function requirementText(value: unknown): string {
  if (Array.isArray(value)) return value.map(requirementText).join(", ");
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Advice for the author, without effect on reviews; hidden when empty. */
function QualityList({ version }: { version: Version }) {
  const { data } = useQuery(versionAdviceQuery(version.skillId, version.digest));
  if (!data || data.quality.length === 0) return null;
  return (
    <Section title="Suggestions" level={3} className="gap-1">
      <DiagnosticList diagnostics={data.quality} />
    </Section>
  );
}

/** The install command of an active skill; the Connect page has the other methods. */
function InstallSkill({ skill }: { skill: Skill }) {
  const isOffered = skill.enabled && skill.listed && skill.currentVersion !== null;
  const { data } = useQuery({ ...connectionQuery({ skill: skill.id }), enabled: isOffered });
  // Skills that only workers run, such as built-ins, cannot be installed.
  if (!isOffered || data?.skills === 0) return null;
  return (
    <Section title="Install" level={3} className="gap-2">
      {data ? (
        <CodeBlock code={`npx skills add ${data.url}${data.scope.path}`} label="npx skills" language="sh" wrap />
      ) : null}
      {data && data.publicSkills === 0 ? (
        <p className="text-13 text-muted-foreground">
          This skill is private: clients need to sign in or use a capability URL.
        </p>
      ) : null}
      <p className="text-13">
        <Link
          href={`/connect?skill=${encodeURIComponent(skill.id)}`}
          className="text-primary underline underline-offset-2"
        >
          Connect a client
        </Link>
      </p>
    </Section>
  );
}

/** The tools that a playbook declares, each with its built-in tool; hidden when it declares none. */
function DeclaredTools({ version }: { version: Version }) {
  const hasTools = version.manifest.tools.length > 0;
  const query = useQuery({ ...declaredToolsQuery(version.skillId, version.digest), enabled: hasTools });
  if (!hasTools) return null;
  return (
    <Section title="Declared tools" level={3} className="gap-2">
      {query.data ? (
        <ul className="flex flex-col gap-2 text-13">
          {query.data.items.map((tool, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a manifest may name a tool twice
            <Tool key={index} tool={tool} />
          ))}
        </ul>
      ) : query.error ? (
        <ErrorState error={query.error} title="The tools could not be loaded." onRetry={() => void query.refetch()} />
      ) : (
        <div role="status" aria-busy="true">
          <span className="sr-only">Loading the tools</span>
          <Skeleton className="w-3/4" />
        </div>
      )}
    </Section>
  );
}

function Tool({ tool: { name, class: toolClass, impl, builtin, skillId, problem } }: { tool: ResolvedTool }) {
  return (
    <li className="min-w-0">
      <p className="flex flex-wrap items-center gap-x-1.5 gap-y-1">
        <code className="font-mono text-xs [overflow-wrap:anywhere]">
          <RevealedText text={name} />
        </code>
        <ClassChip value={toolClass} />
      </p>
      {builtin !== null && skillId !== null ? (
        <p className="text-muted-foreground">
          Built-in:{" "}
          <Link href={`/skills/${encodeURIComponent(skillId)}`} className="text-primary underline underline-offset-2">
            {builtin}
          </Link>
        </p>
      ) : impl !== null && problem === null ? (
        <p className="text-muted-foreground [overflow-wrap:anywhere]">
          Implementation: <RevealedText text={impl} /> (not a built-in)
        </p>
      ) : null}
      {problem ? (
        <p className="flex items-start gap-1.5 text-warning">
          <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          <span className="min-w-0 [overflow-wrap:anywhere]">
            <RevealedText text={problem} />
          </span>
        </p>
      ) : null}
    </li>
  );
}
