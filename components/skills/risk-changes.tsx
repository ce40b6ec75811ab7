import type { ReactNode } from "react";
import { z } from "zod";
import { RevealedText } from "@/components/code/revealed-text";
import { ClassChip } from "@/components/ui/class-chip";
import { Notice } from "@/components/ui/notice";
import { CredentialGrant } from "@/lib/policy/grants/schema";
import type { VersionDiff } from "@/lib/skills/schema";

/** What a change lets a version do that it could not do before; nothing when there is no such thing. */
export function RiskChanges({ diff }: { diff: VersionDiff }) {
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

const Credentials = z.array(CredentialGrant);

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
