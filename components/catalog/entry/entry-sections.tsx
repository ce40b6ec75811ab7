import { ExternalLink } from "lucide-react";
import Link from "next/link";
import { DiagnosticList } from "@/components/code/diagnostic-list";
import { RevealedText } from "@/components/code/hidden-notice";
import { deferred } from "@/components/ui/deferred/deferred";
import { DefinitionList } from "@/components/ui/definition-list";
import { Digest } from "@/components/ui/digest";
import { formatBytes } from "@/components/ui/format-bytes";
import { RelativeTime } from "@/components/ui/relative-time";
import { Section } from "@/components/ui/section";
import type { CatalogDetail } from "@/lib/catalog/schema";
import type { Diagnostic } from "@/lib/skill-format/schema";
import { PermissionList } from "../../skills/permission-list";
import { countOf } from "../../skills/skill-labels";
import { commitUrl, entryHref, folderLabel } from "../catalog-labels";

const DependencyTree = deferred(async () => (await import("./dependency-tree")).DependencyTree);
const NearCopies = deferred(async () => (await import("@/components/skills/near-copies")).NearCopies);

const severityOrder: Record<Diagnostic["severity"], number> = { error: 0, warning: 1, info: 2 };

export function EntrySections({ entry }: { entry: CatalogDetail }) {
  const warnings = warningsOf(entry);
  return (
    <>
      <Section title="Permissions" level={3} className="gap-2">
        <PermissionList manifest={entry.manifest} files={entry.fileList} />
      </Section>
      {warnings.length > 0 ? (
        <Section title={`Warnings (${warnings.length})`} level={3} className="gap-1">
          <div className="-mx-2">
            <DiagnosticList diagnostics={warnings} />
          </div>
        </Section>
      ) : null}
      <Needs entry={entry} />
      {entry.dependsOn.length > 0 ? <DependencyTree entryId={entry.id} /> : null}
      <Section title="Provenance" level={3} className="gap-2">
        <EntryProvenance entry={entry} />
      </Section>
      {entry.places.length > 1 ? (
        <Section title="Identical copies" level={3} className="gap-2">
          <OtherFolders entry={entry} />
        </Section>
      ) : null}
      <NearCopies of={{ entryId: entry.id }} />
      {entry.packs.length > 0 ? (
        <Section title={entry.packs.length === 1 ? "Part of a pack" : "Part of packs"} level={3} className="gap-2">
          <ul className="flex flex-col gap-1 text-13">
            {entry.packs.map((pack) => (
              <li key={pack.id}>
                <Link
                  href={`/catalog?pack=${encodeURIComponent(pack.id)}`}
                  className="text-primary underline underline-offset-2"
                >
                  <RevealedText text={pack.name} />
                </Link>
              </li>
            ))}
          </ul>
        </Section>
      ) : null}
      <Section title="Details" level={3} className="gap-2">
        <Details entry={entry} />
      </Section>
    </>
  );
}

function Needs({ entry: { manifest, operatorIndex } }: { entry: CatalogDetail }) {
  const { requirements } = manifest;
  const needs = [
    { term: "Programs", names: requirements.bins },
    { term: "Any of", names: requirements.anyBins },
    { term: "Environment variables", names: requirements.env },
    { term: "Operating systems", names: requirements.os },
    { term: "Capabilities", names: operatorIndex?.requiredCapabilities ?? [] },
  ].filter(({ names }) => names.length > 0);
  if (needs.length === 0) return null;
  return (
    <Section title="Requirements" level={3} className="gap-2">
      <DefinitionList
        items={needs.map(({ term, names }) => ({ term, value: <RevealedText text={names.join(", ")} /> }))}
      />
    </Section>
  );
}

function Details({ entry }: { entry: CatalogDetail }) {
  const { manifest } = entry;
  const release = entry.operatorIndex?.release;
  const facts: [string, string | null][] = [
    ["Size", `${countOf(entry.files, "file")}, ${formatBytes(entry.bytes)}`],
    ["Licence", entry.license ?? "Not stated"],
    ["Category", entry.category],
    ["Author", manifest.author],
    ["Version", manifest.version ?? entry.operatorIndex?.version ?? null],
    ["Publisher (stated)", release?.publisher ?? null],
    ["Version (stated)", release?.version ?? null],
    ["Digest (stated, checked)", release?.digest ?? null],
    ["Git tree of the files found", release?.found ?? null],
    ["Compatibility", manifest.compatibility],
    ["Tags", entry.tags.join(", ") || null],
  ];
  return (
    <DefinitionList
      items={facts.flatMap(([term, value]) => (value ? [{ term, value: <RevealedText text={value} /> }] : []))}
    />
  );
}

/** Warnings of the parser and findings of the scan, the most severe first. */
function warningsOf({ diagnostics, findings }: CatalogDetail): Diagnostic[] {
  const found = findings.map(
    ({ rule, severity, path, line, text }): Diagnostic => ({
      code: rule,
      severity: severityOf(severity),
      path,
      ...(line === null ? {} : { line }),
      message: text,
    }),
  );
  return [...diagnostics, ...found].sort((a, b) => severityOrder[a.severity] - severityOrder[b.severity]);
}

/** Maps the severities of scan rules to those of the parser. */
function severityOf(severity: string): Diagnostic["severity"] {
  if (/^(critical|high|error|danger)/.test(severity)) return "error";
  return /^(info|low|note)/.test(severity) ? "info" : "warning";
}

function EntryProvenance({ entry }: { entry: CatalogDetail }) {
  const { repository, ref, commit, folder, webUrl, syncedAt, treeSha } = entry.provenance;
  const page = commitUrl(webUrl, repository, commit);
  return (
    <div className="flex flex-col gap-2">
      <DefinitionList
        items={[
          { term: "Repository", value: <RevealedText text={repository} className="[overflow-wrap:anywhere]" /> },
          { term: "Branch or tag", value: <RevealedText text={ref} /> },
          {
            term: "Commit",
            value: (
              <span className="inline-flex items-center gap-1.5">
                <Digest value={commit} label="commit" />
                {page ? <ExternalIconLink href={page} label={`Commit ${commit.slice(0, 7)} on its website`} /> : null}
              </span>
            ),
          },
          {
            term: "Folder",
            value: <RevealedText text={folderLabel(folder)} className="[overflow-wrap:anywhere]" />,
          },
          { term: "Tree", value: <Digest value={treeSha} label="git tree of the folder" /> },
          { term: "Changed", value: <RelativeTime value={entry.changedAt} /> },
          ...(syncedAt ? [{ term: "Last synced", value: <RelativeTime value={syncedAt} /> }] : []),
        ]}
      />
      <a
        href={webUrl}
        target="_blank"
        rel="noopener noreferrer nofollow"
        className="inline-flex w-fit items-center gap-1.5 text-13 text-primary underline underline-offset-2"
      >
        View folder at this commit
        <ExternalLink aria-hidden className="size-3.5" />
        <span className="sr-only">(opens another site)</span>
      </a>
    </div>
  );
}

function ExternalIconLink({ href, label }: { href: string; label: string }) {
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer nofollow"
      aria-label={label}
      title={label}
      className="inline-flex size-6 items-center justify-center rounded-sm text-muted-foreground hover:text-foreground"
    >
      <ExternalLink aria-hidden className="size-3.5" />
    </a>
  );
}

function OtherFolders({ entry }: { entry: CatalogDetail }) {
  const others = entry.places.filter(({ id }) => id !== entry.id);
  return (
    <ul className="flex flex-col gap-1 text-13">
      {others.map((place) => (
        <li key={place.id} className="min-w-0">
          <Link
            href={entryHref(place.id)}
            className="text-primary underline underline-offset-2 [overflow-wrap:anywhere]"
          >
            <RevealedText text={`${place.repository}/${place.folder}`} />
          </Link>{" "}
          <span className="text-muted-foreground text-xs">
            <RevealedText text={place.sourceLabel} />
          </span>
        </li>
      ))}
    </ul>
  );
}
