import { RevealedText } from "@/components/code/revealed-text";
import { DefinitionList } from "@/components/ui/definition-list";
import { Digest } from "@/components/ui/digest";
import { RelativeTime } from "@/components/ui/relative-time";
import type { Version } from "@/lib/skills/schema";

const labels: Record<string, string> = {
  file: "File",
  folder: "Folder",
  base: "Edited from",
  repo: "Repository",
  ref: "Branch or tag",
  commit: "Commit",
};

/** Who brought the bytes of a version, when, and where they came from. */
export function ProvenanceList({ version }: { version: Version }) {
  const origin = Object.entries(version.provenance).filter(([, value]) => typeof value === "string" && value !== "");
  return (
    <DefinitionList
      items={[
        { term: "Brought by", value: version.createdBy.name },
        { term: "When", value: <RelativeTime value={version.createdAt} /> },
        ...origin.map(([key, value]) => ({ term: labels[key] ?? key, value: <OriginValue text={String(value)} /> })),
        {
          term: "Version",
          value: (
            <>
              {version.number} <Digest value={version.digest} label="digest of the version" />
            </>
          ),
        },
      ]}
    />
  );
}

function OriginValue({ text }: { text: string }) {
  if (/^[0-9a-f]{40,64}$/.test(text)) return <Digest value={text} />;
  return <RevealedText text={text} className="[overflow-wrap:anywhere]" />;
}
