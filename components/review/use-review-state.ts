import { useCallback, useMemo, useState } from "react";
import { useLineHash } from "@/components/code/use-address-hash";
import { firstFile } from "@/components/skills/skill-labels";
import { useUrlParams } from "@/components/state/use-url-params";
import { buildFileTree, visibleRows } from "@/components/ui/file-tree-model";
import type { Diagnostic } from "@/lib/skill-format/schema";
import type { Version, VersionFinding } from "@/lib/skills/versions/schema";

export type ReviewState = ReturnType<typeof useReviewState>;

export function useReviewState(version: Version) {
  const [params, setParams] = useUrlParams();
  const [target, setTarget] = useLineHash();
  const [diagnostic, setDiagnostic] = useState<Diagnostic | undefined>();
  const [finding, setFinding] = useState<VersionFinding | undefined>();
  const files = useMemo(
    () =>
      visibleRows(buildFileTree(version.files), new Set()).flatMap(({ node }) =>
        node.kind === "file" ? [node.file] : [],
      ),
    [version.files],
  );
  const wanted = params.get("path");
  const file = files.find(({ path }) => path === wanted) ?? firstFile(files);

  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  if (file && !opened.has(file.path)) setOpened(new Set([...opened, file.path]));

  const open = useCallback(
    (path: string, line?: number) => {
      setParams({ path, show: null });
      setTarget(line ?? null);
    },
    [setParams, setTarget],
  );
  const jump = (next: Diagnostic) => {
    setDiagnostic(next);
    if (next.path) open(next.path, next.line);
  };
  const jumpToFinding = (next: VersionFinding) => {
    setFinding(next);
    open(next.path, next.line);
  };
  const nextFinding = () => {
    const open = version.findings.filter(({ dismissed }) => dismissed === null);
    const index = open.findIndex(({ fingerprint }) => fingerprint === finding?.fingerprint);
    const next = open[(index + 1) % Math.max(1, open.length)];
    if (next) jumpToFinding(next);
  };
  const moveFile = (by: 1 | -1) => {
    const next = files[files.findIndex(({ path }) => path === file?.path) + by];
    if (next) open(next.path);
  };
  const nextDiagnostic = () => {
    const all = version.diagnostics;
    const next = all[((diagnostic ? all.indexOf(diagnostic) : -1) + 1) % Math.max(1, all.length)];
    if (next) jump(next);
  };
  return {
    files,
    file,
    opened,
    target,
    diagnostic,
    finding,
    open,
    setTarget,
    jump,
    jumpToFinding,
    moveFile,
    nextDiagnostic,
    nextFinding,
  };
}
