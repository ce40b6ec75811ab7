import { RevealedText } from "@/components/code/revealed-text";
import { ClassChip } from "@/components/ui/class-chip";
import { Notice } from "@/components/ui/notice";
import { SkillClass } from "@/lib/skill-format/schema";
import type { VersionDiff } from "@/lib/skills/versions/schema";
import { permissionOf } from "./permissions";

type Change = VersionDiff["changes"][number];

const labels: Record<string, string> = {
  class: "Class",
  declaredClass: "Class its author declares",
  description: "Description",
  entry: "Program",
  envAllow: "Environment variables",
  timeoutSeconds: "Time limit in seconds",
  allowedTools: "Allowed tools",
  schema: "Arguments",
  requires: "Requirements",
};

/** What a version declares differently: what it may do changes here, not in the prose. */
export function DeclaredChanges({ changes }: { changes: readonly Change[] }) {
  if (changes.length === 0) return null;
  return (
    <Notice tone="warning" title="It declares something else">
      <dl className="mt-1 flex flex-col gap-1.5">
        {changes.map((change) => (
          <div key={change.field} className="grid gap-x-3 sm:grid-cols-[11rem_1fr]">
            <dt className="text-muted-foreground">{labels[change.field] ?? change.field}</dt>
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
  if (field === "schema" || field === "requires") return <>changed; see the files below</>;
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
  if (value === null || value === undefined) return <span className="text-muted-foreground">none</span>;
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
