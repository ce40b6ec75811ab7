"use client";

import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { z } from "zod";
import { FileDiffView } from "@/components/code/file-diff";
import { RevealedText } from "@/components/code/revealed-text";
import { QueryState } from "@/components/state/query-state";
import { ClassChip } from "@/components/ui/class-chip";
import { Digest } from "@/components/ui/digest";
import { Notice } from "@/components/ui/notice";
import { versionDiffQuery } from "@/lib/client/versions";
import { CredentialGrant } from "@/lib/policy/grants/schema";
import type { VersionDiff } from "@/lib/skills/versions/schema";
import { DeclaredChanges } from "../declared-changes";
import { countOf } from "../skill-labels";

const Credentials = z.array(CredentialGrant);

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

/** What a change lets a version do that it could not do before; nothing when there is no such thing. */
function RiskChanges({ diff }: { diff: VersionDiff }) {
  const { newHosts, newExecutables, grants, findings } = diff;
  const added = findings?.added ?? [];
  if (!diff.class.changed && newHosts.length + newExecutables.length + grants.length + added.length === 0) return null;
  return (
    <Notice tone="warning" title="It can do more, or something else">
      <dl className="mt-1 flex flex-col gap-1.5">
        {diff.class.changed ? (
          <Row term="Class">
            <ClassChip value={diff.class.before} /> <span aria-hidden>→</span>
            <span className="sr-only">becomes</span> <ClassChip value={diff.class.after} />
          </Row>
        ) : null}
        {newHosts.length > 0 ? (
          <Row term="Hosts it names now">
            <Places places={newHosts.map(({ host, path, line }) => ({ what: host, path, line }))} />
          </Row>
        ) : null}
        {newExecutables.length > 0 ? (
          <Row term="What can be executed">
            <ul>
              {newExecutables.map(({ path, line, why }) => (
                <li key={`${path}${line}${why}`}>
                  <Code>{path}</Code>
                  {line ? `:${line}` : ""} {why}
                </li>
              ))}
            </ul>
          </Row>
        ) : null}
        {grants.map(({ field, before, after }) => (
          <Row key={field} term={`Granted ${field}`}>
            <Code>{say(field, before)}</Code> <span aria-hidden>→</span>
            <span className="sr-only">becomes</span> <Code>{say(field, after)}</Code>
          </Row>
        ))}
        {added.length > 0 ? (
          <Row term="New findings">
            <ul>
              {added.map((finding) => (
                <li key={finding.fingerprint}>
                  {finding.why} <Code>{`${finding.path}:${finding.line}`}</Code>
                </li>
              ))}
            </ul>
          </Row>
        ) : null}
      </dl>
    </Notice>
  );
}

function Row({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-3 sm:grid-cols-[11rem_1fr]">
      <dt className="text-muted-foreground">{term}</dt>
      <dd className="min-w-0 [overflow-wrap:anywhere]">{children}</dd>
    </div>
  );
}

function Places({ places }: { places: { what: string; path: string; line: number | null }[] }) {
  return (
    <ul>
      {places.map(({ what, path, line }) => (
        <li key={`${what}${path}`}>
          <Code>{what}</Code>{" "}
          <span className="text-muted-foreground">
            in <RevealedText text={path} />
            {line ? `:${line}` : ""}
          </span>
        </li>
      ))}
    </ul>
  );
}

function Code({ children }: { children: string }) {
  return (
    <code className="font-mono text-xs">
      <RevealedText text={children} />
    </code>
  );
}

function say(field: string, value: unknown): string {
  if (field === "credentials") {
    const given = Credentials.safeParse(value ?? []).data ?? [];
    const words = given.map(
      ({ credential, as, name }) => `${credential} as the ${as === "env" ? "variable" : "file"} ${name}`,
    );
    return words.join(", ") || "none";
  }
  if (value === null || value === undefined) return "as declared";
  return typeof value === "string" ? value : JSON.stringify(value);
}
