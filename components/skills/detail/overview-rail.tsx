import Link from "next/link";
import { RevealedText } from "@/components/code/revealed-text";
import { Badge } from "@/components/ui/badge";
import { DefinitionList } from "@/components/ui/definition-list";
import { Notice } from "@/components/ui/notice";
import { Section } from "@/components/ui/section";
import type { Skill } from "@/lib/skills/schema";
import type { Version } from "@/lib/skills/versions/schema";
import { PublisherLink } from "../marks/publisher-link";
import { PermissionList } from "../permission-list";
import { ProvenanceList } from "../provenance-list";
import { RunSparkline } from "../run-sparkline";
import { countOf } from "../skill-labels";
import { DeclaredTools } from "./declared-tools";
import { ExternalAddress } from "./external-address";
import { InstallSkill } from "./install-skill";
import { MetadataEditor } from "./metadata-editor";
import { QualityList } from "./quality-list";

/** Beside the playbook: what it may do, what it needs, whence it came, what is known of it. */
export function OverviewRail({ skill, version }: { skill: Skill; version: Version }) {
  return (
    <aside aria-label="Facts about the skill" className="flex flex-col gap-7">
      <Section title="What it may do" level={3} className="gap-2">
        {version.state === "approved" ? null : (
          <p className="text-13 text-warning">As version {version.number} asks, which is not approved.</p>
        )}
        <PermissionList manifest={version.manifest} files={version.files} credentials={version.grants?.credentials} />
        {version.notServed ? (
          <Notice tone="warning" title="No worker can run this now">
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

function Requirements({ version: { manifest } }: { version: Version }) {
  const entries = Object.entries(manifest.requires);
  if (entries.length === 0 && manifest.depends.length === 0) return null;
  return (
    <Section title="Requirements" level={3} className="gap-2">
      <DefinitionList
        items={[
          ...entries.map(([key, value]) => ({ term: key, value: <RevealedText text={wordsOf(value)} /> })),
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
        <p className="text-13 text-muted-foreground">It has not run yet.</p>
      ) : (
        <p className="flex items-center gap-3 text-13">
          <RunSparkline runs={skill.recentRuns} />
          {countOf(skill.recentRuns.length, "run")}, {failed === 0 ? "none failed" : `${failed} failed`}
          <Link
            href={`/runs?skill=${encodeURIComponent(skill.id)}`}
            className="ml-auto text-primary underline underline-offset-2"
          >
            All runs
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
    ["Version", skill.version],
    ["License", skill.license],
    ["Works with", skill.compatibility],
    ["Homepage", skill.homepage && <ExternalAddress key="home" href={skill.homepage} />],
    ["Installs", skill.installs > 0 ? skill.installs.toLocaleString("en") : null],
    ["Shared", skill.visibility === "public" ? <Badge key="public">public</Badge> : "Inside only"],
  ] as const;
  return (
    <DefinitionList
      items={facts.flatMap(([term, value]) =>
        value ? [{ term, value: typeof value === "string" ? <RevealedText text={value} /> : value }] : [],
      )}
    />
  );
}

function wordsOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(wordsOf).join(", ");
  return typeof value === "string" ? value : JSON.stringify(value);
}
