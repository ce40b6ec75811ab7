import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { z } from "zod";
import { FileDiffView } from "@/components/code/file-diff";
import { RevealedText } from "@/components/code/hidden-notice";
import { permissionOf } from "@/components/skills/permission-list";
import { QueryState } from "@/components/state/query-state";
import { ClassChip } from "@/components/ui/class-chip";
import { Digest } from "@/components/ui/digest";
import { Notice } from "@/components/ui/notice";
import { versionDiffQuery } from "@/lib/client/versions";
import { CredentialGrant } from "@/lib/policy/grants/schema";
import { SkillClass } from "@/lib/skill-format/schema";
import type { VersionDiff } from "@/lib/skills/versions/schema";

import { countOf, sentenceCase } from "../skill-labels";

const Credentials = z.array(CredentialGrant);

type VersionComparisonProps = { skillId: string; digest: string; against?: string };

export function VersionComparison({ skillId, digest, against }: VersionComparisonProps) {
  const query = useQuery(versionDiffQuery(skillId, digest, against));
  return (
    <QueryState query={query} errorTitle="The versions could not be compared.">
      {(diff) => (
        <div className="flex flex-col gap-3">
          <p className="flex flex-wrap items-center gap-1 text-13 text-muted-foreground">
            {diff.files.length === 0 ? "No file changes" : `${countOf(diff.files.length, "file")} changed`} compared
            with <Digest value={diff.against} label="other version’s digest" />
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

/** Changes that increase the risk of a version; hidden when there are none. */
function RiskChanges({ diff }: { diff: VersionDiff }) {
  const { newHosts, newExecutables, grants, findings } = diff;
  const added = findings?.added ?? [];
  if (!diff.class.changed && newHosts.length + newExecutables.length + grants.length + added.length === 0) return null;
  return (
    <Notice tone="warning" title="Changed permissions">
      <dl className="mt-1 flex flex-col gap-1.5">
        {diff.class.changed ? (
          <Row term="Class">
            <ClassChip value={diff.class.before} /> <span aria-hidden>→</span>
            <span className="sr-only">becomes</span> <ClassChip value={diff.class.after} />
          </Row>
        ) : null}
        {newHosts.length > 0 ? (
          <Row term="New hosts">
            <Places places={newHosts.map(({ host, path, line }) => ({ what: host, path, line }))} />
          </Row>
        ) : null}
        {newExecutables.length > 0 ? (
          <Row term="New executables">
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
          <Row key={field} term={`Granted: ${grantLabels[field] ?? sentenceCase(field)}`}>
            <Code>{grantText(field, before)}</Code> <span aria-hidden>→</span>
            <span className="sr-only">becomes</span> <Code>{grantText(field, after)}</Code>
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

function grantText(field: string, value: unknown): string {
  if (field === "credentials") {
    const given = Credentials.safeParse(value ?? []).data ?? [];
    const texts = given.map(
      ({ credential, as, name }) => `${credential} as the ${as === "env" ? "variable" : "file"} ${name}`,
    );
    return texts.join(", ") || "None";
  }
  if (value === null || value === undefined) return "As declared";
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (isStrings(value)) return value.join(", ") || "None";
  return typeof value === "string" ? value : JSON.stringify(value);
}

const grantLabels: Record<string, string> = {
  scripts: "Scripts",
  env: "Environment variables",
  paths: "Host paths",
  namespaces: "Host namespaces",
  capabilities: "Linux capabilities",
  timeoutSeconds: "Time limit (seconds)",
};

type Change = VersionDiff["changes"][number];

const labels: Record<string, string> = {
  class: "Class",
  declaredClass: "Declared class",
  description: "Description",
  entry: "Program",
  envAllow: "Environment variables",
  timeoutSeconds: "Time limit (seconds)",
  allowedTools: "Allowed tools",
  schema: "Arguments",
  requires: "Requirements",
};

export function DeclaredChanges({ changes }: { changes: readonly Change[] }) {
  if (changes.length === 0) return null;
  return (
    <Notice tone="warning" title="Changed declarations">
      <dl className="mt-1 flex flex-col gap-1.5">
        {changes.map((change) => (
          <div key={change.field} className="grid gap-x-3 sm:grid-cols-[11rem_1fr]">
            <dt className="text-muted-foreground">{labels[change.field] ?? sentenceCase(change.field)}</dt>
            <dd className="min-w-0 [overflow-wrap:anywhere]">
              <Values change={change} />
            </dd>
          </div>
        ))}
      </dl>
    </Notice>
  );
}

function Values({ change: { field, before, after } }: { change: Change }) {
  if (isStrings(before) || isStrings(after))
    return <ListChange before={stringsOf(before)} after={stringsOf(after)} isTools={field === "allowedTools"} />;
  if (field === "schema" || field === "requires") return <>Changed, see the files below</>;
  return (
    <>
      <Value value={before} /> <span aria-hidden>→</span>
      <span className="sr-only">becomes</span> <Value value={after} />
    </>
  );
}

function Value({ value }: { value: unknown }) {
  const skillClass = SkillClass.safeParse(value);
  if (skillClass.success) return <ClassChip value={skillClass.data} />;
  if (value === null || value === undefined) return <span className="text-muted-foreground">None</span>;
  return <RevealedText text={typeof value === "string" ? value : JSON.stringify(value)} />;
}

type ListChangeProps = { before: string[]; after: string[]; isTools: boolean };

function ListChange({ before, after, isTools }: ListChangeProps) {
  const added = after.filter((item) => !before.includes(item));
  const removed = before.filter((item) => !after.includes(item));
  return (
    <ul>
      {added.map((item) => (
        <li key={item}>
          <span className="font-medium">+ </span>
          <code className="font-mono text-xs">
            <RevealedText text={item} />
          </code>
          {isTools ? <> {permissionOf(item).text}, without asking</> : null}
        </li>
      ))}
      {removed.map((item) => (
        <li key={item} className="text-muted-foreground">
          −{" "}
          <code className="font-mono text-xs">
            <RevealedText text={item} />
          </code>
        </li>
      ))}
    </ul>
  );
}

function isStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function stringsOf(value: unknown): string[] {
  return isStrings(value) ? value : [];
}
