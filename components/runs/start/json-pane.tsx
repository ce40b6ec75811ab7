"use client";

import { ChevronRight } from "lucide-react";
import { type Dispatch, useId } from "react";
import { useStoredValue } from "@/components/state/use-stored-value";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { CopyButton } from "@/components/ui/copy-button";
import type { ApiFieldError } from "@/lib/client/api";
import { type ArgsAction, type ArgsDraft, textOf } from "./args-draft";
import { JsonEditor } from "./json-editor";

type JsonPaneProps = { draft: ArgsDraft; dispatch: Dispatch<ArgsAction>; errors: readonly ApiFieldError[] };

/** The same arguments as JSON, beside the form and in step with it. What cannot be read keeps it from folding away. */
export function JsonPane({ draft, dispatch, errors }: JsonPaneProps) {
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
        <CopyButton value={text} label="Copy the arguments" />
      </header>
      <div id={id} hidden={!isOpen}>
        <JsonEditor
          text={text}
          problem={draft.problem}
          errors={errors}
          onChange={(next) => dispatch({ type: "edit-text", text: next })}
        />
      </div>
    </section>
  );
}
