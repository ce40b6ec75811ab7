import { ChevronRight } from "lucide-react";
import dynamic from "next/dynamic";
import { type Dispatch, type ReactNode, useId } from "react";
import { FieldErrors } from "@/components/schema-form/field-parts";
import { type Json, labelOfPath } from "@/components/schema-form/resolve-schema";
import { useStoredValue } from "@/components/state/use-stored-value";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { CopyButton } from "@/components/ui/copy-button";
import { Notice } from "@/components/ui/notice";
import { SegmentedControl } from "@/components/ui/segmented-control";
import { Skeleton } from "@/components/ui/skeleton";
import { Textarea } from "@/components/ui/textarea";
import type { ApiFieldError } from "@/lib/client/api";
import { type ArgsAction, type ArgsDraft, textOf } from "./args-draft";

const SchemaForm = dynamic(() => import("@/components/schema-form/schema-form"), {
  ssr: false,
  loading: () => <FormSkeleton />,
});

type ArgsPanelProps = {
  schema: Json;
  draft: ArgsDraft;
  dispatch: Dispatch<ArgsAction>;
  errors: readonly ApiFieldError[];
  /** Whether form and JSON are side by side, so that no switch is needed. */
  isJsonBeside?: boolean;
  fill?: ReactNode;
};

export function ArgsPanel({ schema, draft, dispatch, errors, isJsonBeside = false, fill }: ArgsPanelProps) {
  const takesNone = isEmptySchema(schema);
  return (
    <section aria-label="Arguments" className="flex flex-col gap-4">
      <header className="flex min-h-7 items-center gap-2">
        <h2 className="mr-auto text-sm">Arguments</h2>
        {fill}
        {isJsonBeside ? null : (
          <SegmentedControl
            label="Edit arguments as"
            value={draft.mode}
            onValueChange={(mode) => dispatch({ type: "show", mode })}
            options={[
              { value: "form", label: "Form" },
              { value: "json", label: "JSON" },
            ]}
            className="h-7"
          />
        )}
      </header>
      {draft.mode === "json" && !isJsonBeside ? (
        <JsonEditor
          schema={schema}
          text={textOf(draft)}
          problem={draft.problem}
          errors={errors}
          onChange={(text) => dispatch({ type: "edit-text", text })}
        />
      ) : (
        <>
          {draft.problem === null ? null : <UnreadableJsonNotice dispatch={dispatch} isBeside={isJsonBeside} />}
          {takesNone && Object.keys(draft.value).length === 0 ? (
            <p className="text-13 text-muted-foreground">This skill takes no arguments.</p>
          ) : (
            <SchemaForm
              schema={schema}
              value={draft.value}
              onChange={(value) => dispatch({ type: "edit-form", value })}
              errors={errors}
            />
          )}
        </>
      )}
    </section>
  );
}

function UnreadableJsonNotice({ dispatch, isBeside }: { dispatch: Dispatch<ArgsAction>; isBeside: boolean }) {
  const goOn = () => {
    if (isBeside) document.getElementById(jsonEditorId)?.focus();
    else dispatch({ type: "show", mode: "json" });
  };
  return (
    <Notice tone="warning" title="Your JSON is invalid and was kept">
      <p>The form shows the last valid arguments.</p>
      <p className="mt-1.5 flex gap-3">
        <Button variant="link" className="h-auto px-0" onClick={goOn}>
          Edit JSON
        </Button>
        <Button variant="link" className="h-auto px-0" onClick={() => dispatch({ type: "drop-text" })}>
          Discard JSON
        </Button>
      </p>
    </Notice>
  );
}

function FormSkeleton() {
  return (
    <div role="status" aria-busy="true" className="flex flex-col gap-5">
      <span className="sr-only">Loading the form</span>
      {["w-24", "w-32", "w-20"].map((width) => (
        <div key={width} className="flex flex-col gap-1.5">
          <Skeleton className={`h-5 ${width}`} />
          <Skeleton className="h-8" />
        </div>
      ))}
    </div>
  );
}

function isEmptySchema(schema: Json): boolean {
  const { properties } = schema;
  const hasNone = typeof properties !== "object" || properties === null || Object.keys(properties).length === 0;
  return (
    hasNone && !schema.oneOf && !schema.anyOf && !schema.allOf && !schema.$ref && schema.additionalProperties !== true
  );
}

type ArgErrorsProps = { schema: Json; errors: readonly ApiFieldError[]; onSendAnyway?: (() => void) | undefined };

/** All errors with links to their fields. `onSendAnyway` lets the server check instead of the browser. */
export function ArgErrors({ schema, errors, onSendAnyway }: ArgErrorsProps) {
  if (errors.length === 0) return null;
  const title = errors.length === 1 ? "1 invalid argument" : `${errors.length} invalid arguments`;
  return (
    <Notice tone="danger" title={title} announce>
      <ul className="mt-1 flex flex-col gap-0.5">
        {errors.map(({ path, message }) => (
          <li key={`${path} ${message}`} className="break-words">
            {path === "" ? null : (
              <>
                <Button variant="link" className="inline h-auto px-0" onClick={() => focusArg(path)}>
                  {labelOfPath(schema, path)}
                </Button>
                :{" "}
              </>
            )}
            {message}
          </li>
        ))}
      </ul>
      {onSendAnyway ? (
        <Button variant="link" className="mt-1.5 h-auto px-0" onClick={onSendAnyway}>
          Run anyway
        </Button>
      ) : null}
    </Notice>
  );
}

/** Focuses the control of an argument, or of its nearest parent. */
export function focusArg(path: string): boolean {
  const segments = path.split(".");
  for (let length = segments.length; length > 0; length--) {
    const id = ["arg", ...segments.slice(0, length)].join("_");
    const field = document.getElementById(id) ?? document.querySelector(`[data-field="${CSS.escape(id)}"]`);
    const target = field?.matches("input, textarea, select, button")
      ? field
      : (field?.querySelector("input, textarea, select, button") ?? field);
    if (!(target instanceof HTMLElement)) continue;
    target.scrollIntoView({ block: "center" });
    target.focus({ preventScroll: true });
    return true;
  }
  return false;
}

export const jsonEditorId = "args-json";

type JsonEditorProps = {
  schema: Json;
  text: string;
  problem: string | null;
  errors: readonly ApiFieldError[];
  onChange: (text: string) => void;
};

const errorsShown = 5;

function JsonEditor({ schema, text, problem, errors, onChange }: JsonEditorProps) {
  const messages = problem
    ? [problem]
    : errors
        .slice(0, errorsShown)
        .map(({ path, message }) => (path === "" ? message : `${labelOfPath(schema, path)}: ${message}`));
  return (
    <div className="flex flex-col gap-1.5">
      <Textarea
        id={jsonEditorId}
        aria-label="Arguments as JSON"
        aria-invalid={messages.length > 0 ? true : undefined}
        aria-describedby={messages.length > 0 ? `${jsonEditorId}-error` : undefined}
        rows={Math.min(24, Math.max(6, text.split("\n").length + 1))}
        value={text}
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="off"
        onChange={({ target }) => onChange(target.value)}
        className="font-mono text-xs leading-5 max-md:text-base"
      />
      <FieldErrors id={jsonEditorId} errors={messages.length > 0 ? messages : undefined} />
    </div>
  );
}

type JsonPaneProps = Pick<ArgsPanelProps, "schema" | "draft" | "dispatch" | "errors">;

/** The arguments as JSON beside the form. Invalid JSON keeps the pane open. */
export function JsonPane({ schema, draft, dispatch, errors }: JsonPaneProps) {
  const id = useId();
  const [fold, setFold] = useStoredValue<"open" | "folded">("skillgate.run-json", "open");
  const isOpen = fold !== "folded" || draft.problem !== null;
  const text = textOf(draft);
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
        <CopyButton value={text} label="Copy arguments" />
      </header>
      <div id={id} hidden={!isOpen}>
        <JsonEditor
          schema={schema}
          text={text}
          problem={draft.problem}
          errors={errors}
          onChange={(next) => dispatch({ type: "edit-text", text: next })}
        />
      </div>
    </section>
  );
}
