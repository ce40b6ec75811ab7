import { useInfiniteQuery } from "@tanstack/react-query";
import { FileViewer } from "@/components/code/file-viewer";
import { useLineHash } from "@/components/code/use-address-hash";
import { QueryState } from "@/components/state/query-state";
import { useUrlParams } from "@/components/state/use-url-params";
import { FileTree } from "@/components/ui/file-tree";
import { formatBytes } from "@/components/ui/format-bytes";
import { Select } from "@/components/ui/select";
import { stateLooks } from "@/components/ui/state-chip";
import { versionsQuery } from "@/lib/client/versions";
import type { Skill } from "@/lib/skills/schema";
import type { Version } from "@/lib/skills/versions/schema";
import { countOf, firstFile } from "../skill-labels";

import { OverviewSkeleton } from "./skill-page-skeleton";
import { useShownVersion } from "./use-shown-version";

export function FilesTab({ skill }: { skill: Skill }) {
  const [params] = useUrlParams();
  const query = useShownVersion(skill, params.get("v") ?? undefined);
  return (
    <QueryState query={query} loading={<OverviewSkeleton />} errorTitle="The files could not be loaded.">
      {(version) => <Files skill={skill} version={version} />}
    </QueryState>
  );
}

function Files({ skill, version }: { skill: Skill; version: Version }) {
  const [params, setParams] = useUrlParams();
  const [target, setTarget] = useLineHash();
  const wanted = params.get("path");
  const file = version.files.find(({ path }) => path === wanted) ?? firstFile(version.files);
  const bytes = version.files.reduce((sum, { size }) => sum + size, 0);

  const open = (path: string) => {
    setTarget(null);
    setParams({ path });
  };

  return (
    <div className="grid gap-4 md:grid-cols-[15rem_minmax(0,1fr)]">
      <div className="flex min-w-0 flex-col gap-3">
        <VersionSelect skill={skill} version={version} onChange={(v) => setParams({ v })} />
        <FileTree
          files={version.files}
          label="Files of the skill"
          selected={file?.path ?? null}
          onSelect={open}
          className="max-h-[60dvh] overflow-y-auto max-md:max-h-48"
        />
        <p className="px-2 text-muted-foreground text-xs tabular-nums">
          {countOf(version.files.length, "file")}, {formatBytes(bytes)}
        </p>
      </div>
      {file ? (
        <FileViewer
          key={`${version.digest}${file.path}`}
          skillId={skill.id}
          digest={version.digest}
          file={file}
          notes={version.diagnostics}
          target={target}
          onTarget={setTarget}
          className="h-[calc(100dvh-18rem)] min-h-96 rounded-md border"
        />
      ) : null}
    </div>
  );
}

type VersionSelectProps = { skill: Skill; version: Version; onChange: (digest: string) => void };

function VersionSelect({ skill, version, onChange }: VersionSelectProps) {
  const versions = useInfiniteQuery(versionsQuery(skill.id)).data?.pages.flatMap((page) => page.items) ?? [];
  const all = versions.some(({ digest }) => digest === version.digest) ? versions : [version, ...versions];
  return (
    <Select
      aria-label="Version"
      value={version.digest}
      onChange={(event) => onChange(event.target.value)}
      options={all.map(({ digest, number, state }) => ({
        value: digest,
        label: `Version ${number} · ${stateLooks[state].label.toLowerCase()}`,
      }))}
    />
  );
}
