"use client";

import { useQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import { Markdown } from "@/components/markdown/markdown";
import { reviewHref } from "@/components/skills/skill-words";
import { QueryState } from "@/components/state/query-state";
import { fileTextQuery } from "@/lib/client/versions";
import type { Version, VersionFile } from "@/lib/skills/schema";

type RenderedFileProps = { skillId: string; version: Version; file: VersionFile };

/** A Markdown file as prose; of a SKILL.md only what follows its head. */
export function RenderedFile({ skillId, version, file }: RenderedFileProps) {
  const query = useQuery(fileTextQuery(skillId, version.digest, file));
  const hrefOf = useCallback(
    (path: string) =>
      version.files.some((other) => other.path === path)
        ? `${reviewHref(skillId, version.digest)}?path=${encodeURIComponent(path)}`
        : null,
    [skillId, version],
  );
  return (
    <QueryState query={query} errorTitle="This file could not be loaded.">
      {(text) => (
        <div className="p-5">
          <Markdown
            text={file.path === "SKILL.md" ? version.manifest.body : text}
            path={file.path}
            fileHref={hrefOf}
            className="max-w-[46rem]"
          />
        </div>
      )}
    </QueryState>
  );
}
