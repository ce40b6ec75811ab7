import { RevealedText } from "@/components/code/revealed-text";
import { Badge } from "@/components/ui/badge";
import { Digest } from "@/components/ui/digest";
import { formatBytes } from "@/components/ui/format-bytes";
import type { SourcePreview } from "@/lib/catalog/sources/schema";
import { countOf } from "../../skills/skill-words";
import { folderWords } from "../catalog-words";
import { SkippedList } from "./skipped-list";

/** What a repository would offer, by the list of its files. */
export function SourcePreviewView({ preview }: { preview: SourcePreview }) {
  const { owner, repo, ref, commit, total, skills, skipped, declares, truncated, isPrivate, requests, skippedCount } =
    preview;
  return (
    <div className="flex flex-col gap-3 text-13">
      <p className="flex flex-wrap items-center justify-between gap-x-3">
        <span>
          <span className="font-medium">{countOf(total, "skill")}</span> in{" "}
          <RevealedText text={`${owner}/${repo}@${ref}`} className="[overflow-wrap:anywhere]" />{" "}
          <Digest value={commit} label="commit" className="mx-0" />{" "}
          {isPrivate ? <Badge tone="warning">private</Badge> : null}
        </span>
        <span className="text-muted-foreground text-xs">{countOf(requests, "request")}</span>
      </p>
      {truncated ? (
        <p className="text-muted-foreground">
          The list of its files is cut off by GitHub. A sync walks the folders and may find more.
        </p>
      ) : null}
      {skills.length > 0 ? (
        <ul
          aria-label="Skills that were found"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
          tabIndex={0}
          className="max-h-52 divide-y overflow-y-auto rounded-md border focus-visible:outline-offset-0"
        >
          {skills.map((skill) => (
            <li key={skill.folder} className="flex items-center gap-2 px-2.5 py-1">
              <span className="min-w-0 flex-1 truncate" title={folderWords(skill.folder)}>
                <RevealedText text={skill.name} className="font-medium" />{" "}
                <RevealedText text={skill.folder} className="text-muted-foreground text-xs" />
              </span>
              {skill.hasScripts ? <span className="shrink-0 text-warning text-xs">scripts</span> : null}
              <span className="shrink-0 text-muted-foreground text-xs tabular-nums">
                {countOf(skill.files, "file")}, {formatBytes(skill.bytes)}
              </span>
            </li>
          ))}
        </ul>
      ) : null}
      {total > skills.length ? (
        <p className="text-muted-foreground text-xs">The first {skills.length} are listed.</p>
      ) : null}
      {declares.length > 0 ? (
        <p className="text-muted-foreground">
          It declares packs or an index: <RevealedText text={declares.join(", ")} className="font-mono text-xs" />
        </p>
      ) : null}
      {skipped.length > 0 ? (
        <details>
          <summary className="w-fit cursor-default text-muted-foreground hover:text-foreground">
            {countOf(skippedCount, "folder")} would be skipped
          </summary>
          <div className="mt-2 max-h-48 overflow-y-auto">
            <SkippedList skipped={skipped} />
          </div>
        </details>
      ) : null}
    </div>
  );
}
