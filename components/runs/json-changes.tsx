import { useMemo } from "react";
import { RevealedText } from "@/components/code/revealed-text";
import { changesAtMost, diffJson, type JsonChange } from "@/components/json/diff-json";
import { jsonPathOf } from "@/components/json/json-pointer";
import { cn } from "@/components/ui/cn";

type JsonChangesProps = { label: string; before: unknown; after: unknown };

const valueShownAtMost = 400;
const signs = { added: "+", removed: "−", changed: "~" } as const;
const words = { added: "Added", removed: "Removed", changed: "Changed" } as const;

/** What differs between two JSON values, path by path. */
export function JsonChanges({ label, before, after }: JsonChangesProps) {
  const { changes, isCut } = useMemo(() => diffJson(before, after), [before, after]);
  return (
    <section aria-label={label} className="overflow-hidden rounded-md border">
      <header className="flex min-h-10 items-center gap-2 border-b px-4">
        <h3>{label}</h3>
        <span className="text-muted-foreground text-xs">{countWords(changes)}</span>
      </header>
      {changes.length === 0 ? null : (
        <section
          aria-label={`${label}, changes`}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
          tabIndex={0}
          className="max-h-[28rem] overflow-auto focus-visible:-outline-offset-2"
        >
          <ul className="font-mono text-xs leading-5">
            {changes.map((change) => (
              <ChangeRow
                key={`${change.kind} ${change.path}`}
                change={change}
                root={change.kind === "added" ? after : before}
              />
            ))}
          </ul>
        </section>
      )}
      {isCut ? (
        <p className="border-t px-4 py-1.5 text-muted-foreground text-xs">
          The first {changesAtMost.toLocaleString("en")} differences.
        </p>
      ) : null}
    </section>
  );
}

function ChangeRow({ change, root }: { change: JsonChange; root: unknown }) {
  const { kind } = change;
  return (
    <li className="grid grid-cols-[1rem_minmax(0,1fr)] gap-x-2 border-b px-4 py-1 last:border-b-0">
      <span
        aria-hidden
        className={cn("text-muted-foreground", kind === "added" && "text-success", kind === "removed" && "text-danger")}
      >
        {signs[kind]}
      </span>
      <span className="sr-only">{words[kind]}</span>
      <div className="min-w-0">
        <p className="wrap-anywhere text-muted-foreground">
          <RevealedText text={jsonPathOf(root, change.path)} />
        </p>
        {kind === "added" ? null : <Value tone="removed" value={change.before} />}
        {kind === "removed" ? null : <Value tone="added" value={change.after} />}
      </div>
    </li>
  );
}

function Value({ value, tone }: { value: unknown; tone: "added" | "removed" }) {
  const text = JSON.stringify(value) ?? "nothing";
  const shown = text.length > valueShownAtMost ? `${text.slice(0, valueShownAtMost)}…` : text;
  return (
    <p
      className={cn(
        "wrap-anywhere whitespace-pre-wrap rounded-sm px-1",
        tone === "added" ? "bg-success-soft" : "bg-danger-soft",
      )}
    >
      <span className="sr-only">{tone === "added" ? "Now " : "Before "}</span>
      <RevealedText text={shown} />
    </p>
  );
}

function countWords(changes: readonly JsonChange[]): string {
  if (changes.length === 0) return "The same";
  return (["changed", "added", "removed"] as const)
    .map((kind) => [changes.filter((change) => change.kind === kind).length, kind] as const)
    .filter(([count]) => count > 0)
    .map(([count, kind]) => `${count.toLocaleString("en")} ${kind}`)
    .join(", ");
}
