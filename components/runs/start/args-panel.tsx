"use client";

import dynamic from "next/dynamic";
import type { Dispatch, ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { SegmentedControl } from "@/components/ui/segmented-control";
import { Skeleton } from "@/components/ui/skeleton";
import type { ApiFieldError } from "@/lib/client/api";
import { type ArgsAction, type ArgsDraft, textOf } from "./args-draft";
import { JsonEditor, jsonEditorId } from "./json-editor";

const SchemaForm = dynamic(() => import("@/components/schema-form/schema-form"), {
  ssr: false,
  loading: () => <FormSkeleton />,
});

type ArgsPanelProps = {
  schema: Record<string, unknown>;
  draft: ArgsDraft;
  dispatch: Dispatch<ArgsAction>;
  errors: readonly ApiFieldError[];
  /** Whether the JSON stands beside the form and not in its place. */
  isJsonBeside?: boolean;
  /** Beside the heading. */
  fill?: ReactNode;
};

/** The arguments as a form, and where there is no room beside it, as JSON in its place. */
export function ArgsPanel({ schema, draft, dispatch, errors, isJsonBeside = false, fill }: ArgsPanelProps) {
  const takesNone = isEmptySchema(schema);
  return (
    <section aria-label="Arguments" className="flex flex-col gap-4">
      <header className="flex min-h-7 items-center gap-2">
        <h2 className="mr-auto text-sm">Arguments</h2>
        {fill}
        {isJsonBeside ? null : (
          <SegmentedControl
            label="Write the arguments as"
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
          text={textOf(draft)}
          problem={draft.problem}
          errors={errors}
          onChange={(text) => dispatch({ type: "edit-text", text })}
        />
      ) : (
        <>
          {draft.problem === null ? null : <KeptText dispatch={dispatch} isBeside={isJsonBeside} />}
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

function KeptText({ dispatch, isBeside }: { dispatch: Dispatch<ArgsAction>; isBeside: boolean }) {
  const goOn = () => {
    if (isBeside) document.getElementById(jsonEditorId)?.focus();
    else dispatch({ type: "show", mode: "json" });
  };
  return (
    <Notice tone="warning" title="Your JSON cannot be read yet, and is kept">
      <p>The form shows the last arguments that could be read.</p>
      <p className="mt-1.5 flex gap-3">
        <Button variant="link" className="h-auto px-0" onClick={goOn}>
          Go on with the JSON
        </Button>
        <Button variant="link" className="h-auto px-0" onClick={() => dispatch({ type: "drop-text" })}>
          Drop it
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

function isEmptySchema(schema: Record<string, unknown>): boolean {
  const { properties } = schema;
  const hasNone = typeof properties !== "object" || properties === null || Object.keys(properties).length === 0;
  return (
    hasNone && !schema.oneOf && !schema.anyOf && !schema.allOf && !schema.$ref && schema.additionalProperties !== true
  );
}
