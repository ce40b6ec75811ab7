"use client";

import { useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Textarea } from "@/components/ui/textarea";

type SopTextFieldProps = { value: string; onChange: (text: string) => void; error: string | undefined };

/** The document, pasted or read from a file. A file keeps line ends and the last newline, which a signature covers too. */
export function SopTextField({ value, onChange, error }: SopTextFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<string | undefined>();
  const read = async (file: File | undefined) => {
    if (!file) return;
    try {
      onChange(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await file.arrayBuffer()));
      setProblem(undefined);
    } catch {
      setProblem(`${file.name} is not UTF-8 text.`);
    }
  };
  return (
    <div className="flex flex-col gap-2">
      <Field
        label="Text"
        required
        help="Exactly what was signed: the last newline counts too, so a file is safer than pasting."
        error={problem ?? error}
      >
        <Textarea
          rows={8}
          value={value}
          onChange={({ target }) => {
            setProblem(undefined);
            onChange(target.value);
          }}
        />
      </Field>
      <input
        ref={input}
        type="file"
        aria-label="Read the text from a file"
        accept=".md,.txt,text/*"
        className="sr-only"
        tabIndex={-1}
        onChange={({ target }) => void read(target.files?.[0])}
      />
      <Button size="sm" className="self-start" onClick={() => input.current?.click()}>
        Choose file
      </Button>
    </div>
  );
}
