"use client";

import { useCallback } from "react";
import { RevealedText } from "@/components/code/revealed-text";
import { Markdown } from "@/components/markdown/markdown";
import type { Skill, Version } from "@/lib/skills/schema";
import { fileHref } from "./file-href";

/** The playbook as people read it, with what its head says above it. */
export function PlaybookView({ skill, version }: { skill: Pick<Skill, "id">; version: Version }) {
  const { manifest, files, digest } = version;
  const hrefOf = useCallback(
    (path: string) => (files.some((file) => file.path === path) ? fileHref(skill.id, path, digest) : null),
    [files, skill.id, digest],
  );
  return (
    <div>
      {manifest.kind === "playbook" ? (
        <p className="mb-5 max-w-prose text-muted-foreground">
          <RevealedText text={manifest.description} />
          {manifest.whenToUse ? (
            <>
              {" "}
              <RevealedText text={manifest.whenToUse} />
            </>
          ) : null}
        </p>
      ) : null}
      <Markdown text={manifest.body} fileHref={hrefOf} className="max-w-[46rem]" />
    </div>
  );
}
