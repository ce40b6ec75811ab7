import dynamic from "next/dynamic";
import type { Dispatch, ReactNode } from "react";
import { type Json, labelOfPath } from "@/components/schema-form/resolve-schema";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { SegmentedControl } from "@/components/ui/segmented-control";
import { Skeleton } from "@/components/ui/skeleton";
import type { ApiFieldError } from "@/lib/client/api";
import type { ArgsAction, ArgsDraft } from "./args-draft";
import { focusJsonLine, JsonEditor, jsonEditorId } from "./json-editor";

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
  /** Lets the server check instead of the browser. */
  onSendAnyway?: (() => void) | undefined;
};

/** The arguments as form or JSON, with a summary of their errors that leads to each. */
export function ArgsPanel(props: ArgsPanelProps) {
  const { schema, draft, dispatch, errors, isJsonBeside = false, fill, onSendAnyway } = props;
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
        <JsonEditor schema={schema} draft={draft} dispatch={dispatch} errors={errors} />
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
      <ArgErrors schema={schema} errors={errors} onSendAnyway={onSendAnyway} />
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

type ArgErrorsProps = Pick<ArgsPanelProps, "schema" | "errors" | "onSendAnyway">;

function ArgErrors({ schema, errors, onSendAnyway }: ArgErrorsProps) {
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

/** Focuses the control of an argument, or of its nearest parent; without the form its line in the JSON. */
export function focusArg(path: string): boolean {
  const segments = path.split(".");
  for (let length = segments.length; length > 0; length--) {
    const id = ["arg", ...segments.slice(0, length)].join("_");
    const fields = [...document.querySelectorAll<HTMLElement>("[data-field]")];
    const field = document.getElementById(id) ?? fields.find(({ dataset }) => dataset.field === id);
    const target = field?.matches("input, textarea, select, button")
      ? field
      : (field?.querySelector("input, textarea, select, button") ?? field);
    if (!(target instanceof HTMLElement)) continue;
    target.scrollIntoView({ block: "center" });
    target.focus({ preventScroll: true });
    return true;
  }
  return focusJsonLine(path);
}
