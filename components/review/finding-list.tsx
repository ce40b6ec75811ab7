import { countOf } from "@/components/skills/skill-words";
import type { Version, VersionFinding } from "@/lib/skills/schema";
import { FindingItem } from "./finding-item";

type FindingListProps = {
  version: Version;
  active: VersionFinding | undefined;
  onJump: (finding: VersionFinding) => void;
};

/** What the rules found: what is open first, the worst on top; what was dismissed stays, folded. */
export function FindingList({ version, active, onJump }: FindingListProps) {
  const { findings, scan } = version;
  const open = findings.filter((finding) => finding.dismissed === null);
  const dismissed = findings.filter((finding) => finding.dismissed !== null);
  if (scan.state === "pending") {
    return (
      <p role="status" className="px-4 py-3 text-13 text-muted-foreground">
        The scan has not finished yet; findings appear here by themselves.
      </p>
    );
  }
  const item = (finding: VersionFinding) => (
    <FindingItem
      key={finding.fingerprint}
      skillId={version.skillId}
      digest={version.digest}
      finding={finding}
      mayDismiss={version.you.mayDismiss}
      isActive={finding.fingerprint === active?.fingerprint}
      onJump={() => onJump(finding)}
    />
  );
  return (
    <div className="p-2">
      {scan.state === "incomplete" ? (
        <p className="px-2 py-1.5 text-13 text-warning">A part could not be scanned; a finding below says which.</p>
      ) : null}
      {open.length === 0 ? (
        <p className="px-2 py-1.5 text-13 text-muted-foreground">
          {dismissed.length > 0 ? "Nothing is open." : "No rule matched."} That is not a verdict: read the source.
        </p>
      ) : (
        <ul className="flex flex-col gap-px">{open.map(item)}</ul>
      )}
      {dismissed.length > 0 ? (
        <details className="mt-2">
          <summary className="cursor-pointer rounded-sm px-2 py-1 text-13 text-muted-foreground">
            {countOf(dismissed.length, "dismissed finding")}
          </summary>
          <ul className="flex flex-col gap-px">{dismissed.map(item)}</ul>
        </details>
      ) : null}
    </div>
  );
}
