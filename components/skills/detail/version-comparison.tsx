"use client";

import { useQuery } from "@tanstack/react-query";
import { FileDiffView } from "@/components/code/file-diff";
import { QueryState } from "@/components/state/query-state";
import { Digest } from "@/components/ui/digest";
import { versionDiffQuery } from "@/lib/client/versions";
import { DeclaredChanges } from "../declared-changes";
import { RiskChanges } from "../risk-changes";
import { countOf } from "../skill-words";

type VersionComparisonProps = { skillId: string; digest: string; against?: string };

/** What a version changes: what it declares first, then file by file. */
export function VersionComparison({ skillId, digest, against }: VersionComparisonProps) {
  const query = useQuery(versionDiffQuery(skillId, digest, against));
  return (
    <QueryState query={query} errorTitle="The versions could not be compared.">
      {(diff) => (
        <div className="flex flex-col gap-3">
          <p className="flex flex-wrap items-center gap-1 text-13 text-muted-foreground">
            {diff.files.length === 0 ? "No file differs" : `${countOf(diff.files.length, "file")} differ`} from{" "}
            <Digest value={diff.against} label="digest of the other version" />
          </p>
          <RiskChanges diff={diff} />
          <DeclaredChanges changes={diff.changes} />
          {diff.files.map((file) => (
            <FileDiffView key={file.path} file={file} />
          ))}
        </div>
      )}
    </QueryState>
  );
}
