import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { FileDiffView } from "@/components/code/file-diff";
import { RevealedText } from "@/components/code/hidden-notice";
import { Fact } from "@/components/skills/permission-list";
import { QueryState } from "@/components/state/query-state";
import { Digest } from "@/components/ui/digest";
import { Section } from "@/components/ui/section";
import { versionDiffQuery } from "@/lib/client/versions";
import type { VersionDiff } from "@/lib/skills/versions/schema";
import { countOf } from "../skill-labels";
import { type ChangeSentence, describeChanges, describeDeclared } from "./describe-changes";

type VersionComparisonProps = {
  skillId: string;
  digest: string;
  against?: string;
  /** The file whose changes are scrolled to; `round` repeats that for the same file. */
  shown?: { path: string; round: number } | null;
  /** Called when the end of a file’s changes was in view. */
  onRead?: (path: string) => void;
};

/** The differences of two versions: permissions, limits and programs in sentences, then the changes of each file. */
export function VersionComparison({ skillId, digest, against, shown = null, onRead }: VersionComparisonProps) {
  const query = useQuery(versionDiffQuery(skillId, digest, against));
  return (
    <QueryState query={query} errorTitle="The versions could not be compared.">
      {(diff) => <Comparison diff={diff} shown={shown} onRead={onRead} />}
    </QueryState>
  );
}

type ComparisonProps = Pick<VersionComparisonProps, "shown" | "onRead"> & { diff: VersionDiff };

function Comparison({ diff, shown, onRead }: ComparisonProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!shown) return;
    const found = [...(list.current?.children ?? [])].find(
      (element) => element.getAttribute("data-file") === shown.path,
    );
    found?.scrollIntoView({ block: "start" });
  }, [shown]);
  return (
    <div className="flex flex-col gap-4">
      <Section title="Permissions, limits and programs" level={3} className="gap-2">
        <ChangeSentences sentences={describeChanges(diff)} />
        {diff.findings === null ? (
          <p className="text-13 text-muted-foreground">A scan is in progress: findings are not compared yet.</p>
        ) : null}
      </Section>
      <Section
        title={diff.files.length === 0 ? "No file changes" : `${countOf(diff.files.length, "file")} changed`}
        description={
          <>
            Compared with <Digest value={diff.against} label="other version’s digest" />
          </>
        }
        level={3}
        className="gap-2"
      >
        <div ref={list} className="flex flex-col gap-3">
          {diff.files.map((file) => (
            <div key={file.path} data-file={file.path} className="scroll-mt-2">
              <FileDiffView file={file} />
              {onRead ? <EndMark onSeen={() => onRead(file.path)} /> : null}
            </div>
          ))}
        </div>
      </Section>
    </div>
  );
}

/** Calls back once it was in view, so once the reader has scrolled past what is above it. */
function EndMark({ onSeen }: { onSeen: () => void }) {
  const mark = useRef<HTMLSpanElement>(null);
  const seen = useRef(onSeen);
  seen.current = onSeen;
  useEffect(() => {
    const element = mark.current;
    if (!element) return;
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      seen.current();
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return <span ref={mark} aria-hidden className="block h-px" />;
}

function ChangeSentences({ sentences }: { sentences: readonly ChangeSentence[] }) {
  if (sentences.length === 0) {
    return <p className="text-13 text-muted-foreground">No permission, limit or program changed.</p>;
  }
  return (
    <ul className="flex flex-col gap-1 text-13">
      {sentences.map(({ text, tone, place }) => (
        <Fact key={`${text} ${place?.path ?? ""} ${place?.line ?? ""}`} tone={tone}>
          <RevealedText text={text} />
          {place ? (
            <span className="ml-1.5 font-mono font-normal text-muted-foreground text-xs">
              <RevealedText text={place.path} />
              {place.line ? `:${place.line}` : ""}
            </span>
          ) : null}
        </Fact>
      ))}
    </ul>
  );
}

/** What the files of an update declare differently. */
export function DeclaredChanges({ changes }: { changes: VersionDiff["changes"] }) {
  if (changes.length === 0) return null;
  return (
    <Section title="Permissions, limits and programs" level={3} className="gap-2">
      <ChangeSentences sentences={describeDeclared(changes)} />
    </Section>
  );
}
