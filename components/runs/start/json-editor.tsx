import { ChevronRight } from "lucide-react";
import { type Dispatch, useId, useMemo, useState } from "react";
import { ColouredText, useHighlight } from "@/components/code/coloured-text";
import { revealInvisible } from "@/components/code/reveal-invisible";
import { type JsonPlaces, lineOfPath, locateJson } from "@/components/json/locate-json";
import { FieldErrors } from "@/components/schema-form/field-parts";
import { type Json, labelOfPath } from "@/components/schema-form/resolve-schema";
import { useStoredValue } from "@/components/state/use-stored-value";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { CopyButton } from "@/components/ui/copy-button";
import { controlStyles } from "@/components/ui/input";
import type { ApiFieldError } from "@/lib/client/api";
import { type ArgsAction, type ArgsDraft, textOf } from "./args-draft";

export const jsonEditorId = "args-json";

export type JsonEditorProps = {
  schema: Json;
  draft: ArgsDraft;
  dispatch: Dispatch<ArgsAction>;
  errors: readonly ApiFieldError[];
};

/** Type of both layers, so that their lines have the same height. */
const lineStyle = "whitespace-pre font-mono text-xs leading-5 max-md:text-base max-md:leading-6";

/** The arguments as text with line numbers; lines with errors are marked. The messages stand at the form's fields. */
export function JsonEditor({ schema, draft, dispatch, errors }: JsonEditorProps) {
  const text = textOf(draft);
  const [scrolled, setScrolled] = useState({ top: 0, left: 0 });
  const places = useMemo(() => locateJson(text), [text]);
  const lines = text.split("\n");
  const colours = useColours(text);
  const marks = useMemo(
    () => marksOf(schema, places, draft.problem === null ? errors : []),
    [schema, places, draft.problem, errors],
  );
  const isBroken = draft.problem !== null;
  const isWrong = (line: number) => (isBroken ? line === places.brokenLine : marks.has(line));
  return (
    <div className="flex flex-col gap-1.5">
      <div className="relative overflow-hidden rounded-md bg-background">
        <div
          aria-hidden
          className={cn("absolute inset-x-0 top-0 py-1.5", lineStyle)}
          style={{ translate: `0 ${-scrolled.top}px` }}
        >
          {lines.map((line, index) => (
            <div
              // biome-ignore lint/suspicious/noArrayIndexKey: a line is its number
              key={index}
              data-line={index + 1}
              data-wrong={isWrong(index + 1) || undefined}
              className="relative w-full border-transparent border-l-2 pl-0.5 text-muted-foreground tabular-nums data-wrong:border-danger-mark data-wrong:bg-danger-soft data-wrong:text-danger"
            >
              <span className="inline-block w-8 text-right">{index + 1}</span>
              {colours ? (
                // The textarea's text starts at 49 px: its padding and its border.
                <span className="absolute inset-y-0 right-0 left-[47px] overflow-hidden text-foreground">
                  <span className="absolute" style={{ translate: `${-scrolled.left}px` }}>
                    <ColouredText text={line} marks={colours[index]} />
                  </span>
                </span>
              ) : null}
            </div>
          ))}
        </div>
        <textarea
          id={jsonEditorId}
          aria-label="Arguments as JSON"
          aria-invalid={isBroken || marks.size > 0 ? true : undefined}
          aria-describedby={isBroken ? `${jsonEditorId}-error` : marks.size > 0 ? `${jsonEditorId}-marks` : undefined}
          rows={Math.min(24, Math.max(6, lines.length + 1))}
          value={text}
          wrap="off"
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="off"
          onChange={({ target }) => dispatch({ type: "edit-text", text: target.value })}
          onScroll={({ currentTarget: { scrollTop: top, scrollLeft: left } }) => setScrolled({ top, left })}
          className={cn(
            controlStyles,
            "relative block resize-y overflow-auto bg-transparent py-1.5 pl-12",
            lineStyle,
            colours && "text-transparent caret-foreground",
          )}
        />
      </div>
      {isBroken ? (
        <FieldErrors id={jsonEditorId} errors={[brokenText(places, draft.problem)]} />
      ) : (
        <p id={`${jsonEditorId}-marks`} className="sr-only">
          {[...marks.values()].flat().join(". ")}
        </p>
      )}
    </div>
  );
}

/** The colours behind the text; none for text with invisible characters, which is wider where they are shown. */
function useColours(text: string) {
  const marks = useHighlight("arguments.json", text);
  const isPlain = useMemo(() => revealInvisible(text).every(({ kind }) => kind !== "hidden"), [text]);
  return isPlain ? marks : null;
}

/** "Line 4, Up to: must be at most 9", by line. */
function marksOf(schema: Json, places: JsonPlaces, errors: readonly ApiFieldError[]): ReadonlyMap<number, string[]> {
  const marks = new Map<number, string[]>();
  for (const { path, message } of errors) {
    const line = lineOfPath(places, path);
    const name = path === "" ? "" : `, ${labelOfPath(schema, path)}`;
    marks.set(line, [...(marks.get(line) ?? []), `Line ${line}${name}: ${message}`]);
  }
  return marks;
}

function brokenText({ brokenLine }: JsonPlaces, problem: string | null): string {
  return brokenLine === null ? (problem ?? "") : `Line ${brokenLine}: invalid JSON.`;
}

/** Moves the cursor to the line of an argument. False without the editor. */
export function focusJsonLine(path: string): boolean {
  const editor = document.getElementById(jsonEditorId);
  if (!(editor instanceof HTMLTextAreaElement)) return false;
  const before = editor.value.split("\n").slice(0, lineOfPath(locateJson(editor.value), path) - 1);
  const start = before.reduce((length, line) => length + line.length + 1, 0);
  editor.scrollIntoView({ block: "center" });
  editor.focus({ preventScroll: true });
  editor.setSelectionRange(start, start + (editor.value.slice(start).split("\n")[0]?.length ?? 0));
  return true;
}

/** The arguments as JSON beside the form. Invalid JSON keeps the pane open. */
export function JsonPane(props: JsonEditorProps) {
  const { draft } = props;
  const id = useId();
  const [fold, setFold] = useStoredValue<"open" | "folded">("skillgate.run-json", "open");
  const isOpen = fold !== "folded" || draft.problem !== null;
  return (
    <section aria-label="JSON" className="flex flex-col gap-2">
      <header className="flex min-h-7 items-center gap-2">
        <h2 className="mr-auto text-sm">
          <Button
            size="sm"
            variant="ghost"
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={() => setFold(isOpen ? "folded" : "open")}
            className="-ml-2 text-sm"
          >
            <ChevronRight aria-hidden className={cn(isOpen && "rotate-90")} /> JSON
          </Button>
        </h2>
        <CopyButton value={textOf(draft)} label="Copy arguments" />
      </header>
      <div id={id} hidden={!isOpen}>
        <JsonEditor {...props} />
      </div>
    </section>
  );
}
