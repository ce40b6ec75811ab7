import Link from "next/link";
import { RevealedText } from "@/components/code/revealed-text";
import { DefinitionList } from "@/components/ui/definition-list";
import { formatBytes } from "@/components/ui/format-bytes";
import { Section } from "@/components/ui/section";
import type { CatalogDetail } from "@/lib/catalog/schema";
import { PermissionList } from "../../skills/permission-list";
import { countOf } from "../../skills/skill-words";
import { EntryProvenance, OtherPlaces } from "./entry-provenance";
import { EntryWarnings, warningsOf } from "./entry-warnings";

/** The facts that decide about an install, in the order one asks for them. */
export function EntrySections({ entry }: { entry: CatalogDetail }) {
  const warnings = warningsOf(entry);
  return (
    <>
      <Section title="What it may do" level={3} className="gap-2">
        <PermissionList manifest={entry.manifest} files={entry.fileList} />
      </Section>
      {warnings.length > 0 ? (
        <Section title={`What was noticed (${warnings.length})`} level={3} className="gap-1">
          <EntryWarnings entry={entry} />
        </Section>
      ) : null}
      <Needs entry={entry} />
      <Section title="Provenance" level={3} className="gap-2">
        <EntryProvenance entry={entry} />
      </Section>
      {entry.places.length > 1 ? (
        <Section title="The same bytes elsewhere" level={3} className="gap-2">
          <OtherPlaces entry={entry} />
        </Section>
      ) : null}
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

/** Programs, variables and systems that the author says it needs. */
function Needs({ entry: { manifest, operatorIndex } }: { entry: CatalogDetail }) {
  const { requirements } = manifest;
  const needs = [
    { term: "Programs", names: requirements.bins },
    { term: "One of", names: requirements.anyBins },
    { term: "Variables", names: requirements.env },
    { term: "Systems", names: requirements.os },
    { term: "Capabilities", names: operatorIndex?.requiredCapabilities ?? [] },
    { term: "Skills", names: manifest.depends },
  ].filter(({ names }) => names.length > 0);
  if (needs.length === 0) return null;
  return (
    <Section title="What it needs" level={3} className="gap-2">
      <DefinitionList
        items={needs.map(({ term, names }) => ({ term, value: <RevealedText text={names.join(", ")} /> }))}
      />
    </Section>
  );
}

function Details({ entry }: { entry: CatalogDetail }) {
  const { manifest } = entry;
  const facts: [string, string | null][] = [
    ["Size", `${countOf(entry.files, "file")}, ${formatBytes(entry.bytes)}`],
    ["Licence", entry.license ?? "None named"],
    ["Category", entry.category],
    ["Author", manifest.author],
    ["Version", manifest.version ?? entry.operatorIndex?.version ?? null],
    ["Works with", manifest.compatibility],
    ["Tags", entry.tags.join(", ") || null],
  ];
  return (
    <DefinitionList
      items={facts.flatMap(([term, value]) => (value ? [{ term, value: <RevealedText text={value} /> }] : []))}
    />
  );
}
