import { useQuery } from "@tanstack/react-query";
import { useCallback, useMemo, useState } from "react";
import { useLineHash } from "@/components/code/use-address-hash";
import { firstFile } from "@/components/skills/skill-labels";
import { useUrlParams } from "@/components/state/use-url-params";
import { buildFileTree, visibleRows } from "@/components/ui/file-tree";
import { versionDiffQuery } from "@/lib/client/versions";
import type { Diagnostic } from "@/lib/skill-format/schema";
import type { FileDiff, Version, VersionFinding } from "@/lib/skills/versions/schema";

export type ReviewState = ReturnType<typeof useReviewState>;
export type FileView = "source" | "both" | "rendered" | "changes";

/** What a reviewer of this version has to open, and has not: a file, or for an update the changes of one. */
export type Unread = { path: string; kind: "file" | FileDiff["change"] };

const views: readonly string[] = ["source", "both", "rendered", "changes"] satisfies FileView[];

/** What is open in the review of a version. `isUpdate`: it is compared with the active version, which opens first. */
export function useReviewState(version: Version, isUpdate: boolean) {
  const [params, setParams] = useUrlParams();
  const [target, setTarget] = useLineHash();
  const [diagnostic, setDiagnostic] = useState<Diagnostic | undefined>();
  const [finding, setFinding] = useState<VersionFinding | undefined>();
  const [shownChange, setShownChange] = useState<{ path: string; round: number } | null>(null);
  const files = useMemo(
    () =>
      visibleRows(buildFileTree(version.files), new Set()).flatMap(({ node }) =>
        node.kind === "file" ? [node.file] : [],
      ),
    [version.files],
  );
  const wanted = params.get("path");
  const file = files.find(({ path }) => path === wanted) ?? firstFile(files);
  const named = params.get("show");
  // A line of a file is what the address is about, so it opens the source.
  const first = isUpdate && wanted === null && target === null ? "changes" : "source";
  const view: FileView =
    named !== null && views.includes(named) && (isUpdate || named !== "changes") ? (named as FileView) : first;

  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  if (view !== "changes" && file && !opened.has(file.path)) setOpened(new Set([...opened, file.path]));
  const markRead = useCallback(
    (path: string) => setOpened((before) => (before.has(path) ? before : new Set([...before, path]))),
    [],
  );

  const diff = useQuery({ ...versionDiffQuery(version.skillId, version.digest), enabled: isUpdate });
  const changed = isUpdate ? diff.data?.files : undefined;
  const unread = useMemo<Unread[]>(() => {
    const all: Unread[] = changed
      ? changed.map(({ path, change }) => ({ path, kind: change }))
      : files.map(({ path }) => ({ path, kind: "file" }));
    return all.filter(({ path }) => !opened.has(path));
  }, [changed, files, opened]);
  const toRead = (changed ?? files).length;

  const setView = (next: FileView) =>
    setParams({
      show: next === (isUpdate ? "changes" : "source") ? null : next,
      ...(isUpdate ? { path: next === "changes" ? null : file?.path } : {}),
    });
  const openFile = useCallback(
    (path: string, line?: number) => {
      setParams({ path, show: isUpdate ? "source" : null });
      setTarget(line ?? null);
    },
    [setParams, setTarget, isUpdate],
  );
  const openChange = (path: string) => {
    setParams({ path: null, show: null });
    setTarget(null);
    setShownChange((before) => ({ path, round: (before?.round ?? 0) + 1 }));
  };
  const isChanged = (path: string) => changed?.some((other) => other.path === path) ?? false;
  /** Opens a file, or its changes while the changes are shown. */
  const open = (path: string) => (view === "changes" && isChanged(path) ? openChange(path) : openFile(path));
  const openUnread = ({ path, kind }: Unread) => (kind === "file" ? openFile(path) : openChange(path));

  const jump = (next: Diagnostic) => {
    setDiagnostic(next);
    if (next.path) openFile(next.path, next.line);
  };
  const jumpToFinding = (next: VersionFinding) => {
    setFinding(next);
    openFile(next.path, next.line);
  };
  const nextFinding = () => {
    const open = version.findings.filter(({ dismissed }) => dismissed === null);
    const index = open.findIndex(({ fingerprint }) => fingerprint === finding?.fingerprint);
    const next = open[(index + 1) % Math.max(1, open.length)];
    if (next) jumpToFinding(next);
  };
  const moveFile = (by: 1 | -1) => {
    const isByChange = view === "changes" && changed !== undefined;
    const paths = isByChange ? changed.map(({ path }) => path) : files.map(({ path }) => path);
    const at = paths.indexOf(isByChange ? (shownChange?.path ?? "") : (file?.path ?? ""));
    const next = paths[at + by];
    if (next !== undefined) open(next);
  };
  const nextDiagnostic = () => {
    const all = version.diagnostics;
    const next = all[((diagnostic ? all.indexOf(diagnostic) : -1) + 1) % Math.max(1, all.length)];
    if (next) jump(next);
  };
  return {
    ...{ files, file, view, setView, target, diagnostic, finding, changed, shownChange },
    /** Files, or for an update changes, that a reviewer has to open, and those not opened yet. */
    ...{ toRead, unread },
    ...{ open, openFile, openUnread, markRead, setTarget, jump, jumpToFinding, moveFile, nextDiagnostic, nextFinding },
  };
}
