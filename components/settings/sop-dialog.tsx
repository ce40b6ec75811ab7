"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { FormError } from "@/components/forms/form-error";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { FormDialogContent } from "@/components/ui/form-dialog-content";
import { Input } from "@/components/ui/input";
import { Notice } from "@/components/ui/notice";
import { Select } from "@/components/ui/select";
import { Textarea } from "@/components/ui/textarea";
import { ApiError } from "@/lib/client/api";
import { addSop, sopKeysQuery, sopsQuery } from "@/lib/client/sops";
import { SopAlgorithm } from "@/lib/runner/schema";

type AddSopDialogProps = { open: boolean; onOpenChange: (open: boolean) => void };

export function AddSopDialog({ open, onOpenChange }: AddSopDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      {open ? <SopForm onDone={() => onOpenChange(false)} /> : null}
    </Dialog>
  );
}

const algorithms: Record<SopAlgorithm, string> = {
  "rsa-sha256": "RSA with SHA-256 (PKCS #1 v1.5)",
  "rsa-pss-sha256": "RSA-PSS with SHA-256",
};

function SopForm({ onDone }: { onDone: () => void }) {
  const queries = useQueryClient();
  const { data: keys } = useQuery(sopKeysQuery);
  const [title, setTitle] = useState("");
  const [text, setText] = useState("");
  const [signature, setSignature] = useState("");
  const [algorithm, setAlgorithm] = useState<SopAlgorithm>("rsa-sha256");
  const add = useMutation({
    // Base64 is often wrapped in lines, which mean nothing.
    mutationFn: () => addSop({ title, text, signature: signature.replace(/\s+/g, ""), algorithm }),
    onSuccess: () => {
      onDone();
      return queries.invalidateQueries({ queryKey: sopsQuery.queryKey });
    },
  });
  const error = add.error instanceof ApiError ? add.error : null;
  return (
    <FormDialogContent
      title="Add procedure"
      description="It is taken only if the signature verifies, byte for byte, with a registered key."
      action="Verify and add"
      pending={add.isPending}
      onSubmit={() => add.mutate()}
    >
      {keys?.items.length === 0 ? (
        <Notice tone="warning">No key is registered yet. Add the public key first.</Notice>
      ) : null}
      <Field label="Title" required error={error?.fieldError("title")}>
        <Input value={title} maxLength={200} autoComplete="off" onChange={({ target }) => setTitle(target.value)} />
      </Field>
      <SopTextField value={text} onChange={setText} error={error?.fieldError("text")} />
      <Field
        label="Signature"
        required
        help="In base64: openssl dgst -sha256 -sign key.pem procedure.md | base64"
        error={signatureError(error)}
      >
        <Textarea
          rows={3}
          spellCheck={false}
          className="break-all font-mono text-xs"
          value={signature}
          onChange={({ target }) => setSignature(target.value)}
        />
      </Field>
      <Field label="Signed as">
        <Select
          value={algorithm}
          onChange={({ target }) => setAlgorithm(SopAlgorithm.parse(target.value))}
          options={SopAlgorithm.options.map((value) => ({ value, label: algorithms[value] }))}
        />
      </Field>
      <FormError error={add.error} />
    </FormDialogContent>
  );
}

function signatureError(error: ApiError | null): string | undefined {
  const message = error?.fieldError("signature");
  return message === "does not verify"
    ? "The signature does not verify: the text differs from what was signed, or it was signed with another key."
    : message;
}

type SopTextFieldProps = { value: string; onChange: (text: string) => void; error: string | undefined };

/** The document, pasted or read from a file. A file keeps line ends and the last newline, which a signature covers too. */
function SopTextField({ value, onChange, error }: SopTextFieldProps) {
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
