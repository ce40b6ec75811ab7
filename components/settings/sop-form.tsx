"use client";

import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { FormDialog, SelectField, TextareaField, TextField } from "@/components/forms/form";
import { useApiForm } from "@/components/forms/use-api-form";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { addSop, sopKeysQuery, sopsQuery } from "@/lib/client/approvals";
import { CreateSopInput, SopAlgorithm } from "@/lib/runner/schema";

const algorithms: Record<SopAlgorithm, string> = {
  "rsa-sha256": "RSA with SHA-256 (PKCS #1 v1.5)",
  "rsa-pss-sha256": "RSA-PSS with SHA-256",
};

/** The document is pasted or read from a file, which keeps line ends and the last newline: a signature covers them too. */
export function SopForm({ onDone }: { onDone: () => void }) {
  const { data: keys } = useQuery(sopKeysQuery);
  const input = useRef<HTMLInputElement>(null);
  const form = useApiForm({
    values: { title: "", text: "", signature: "", algorithm: "rsa-sha256" as SopAlgorithm },
    // Base64 is often wrapped in lines, which mean nothing.
    body: ({ signature, ...values }) => ({ ...values, signature: signature.replace(/\s+/g, "") }),
    schema: CreateSopInput,
    send: addSop,
    refresh: [sopsQuery.queryKey],
    onDone,
  });
  const read = async (file: File | undefined) => {
    if (!file) return;
    form.clearErrors("text");
    try {
      form.setValue(
        "text",
        new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await file.arrayBuffer()),
      );
    } catch {
      form.setError("text", { message: `${file.name} is not UTF-8 text.` });
    }
  };
  return (
    <FormDialog
      form={form}
      title="Add procedure"
      description="It is taken only if the signature verifies, byte for byte, with a registered key."
      action="Verify and add"
    >
      {keys?.items.length === 0 ? (
        <Notice tone="warning">No key is registered yet. Add the public key first.</Notice>
      ) : null}
      <TextField form={form} name="title" label="Title" required maxLength={200} />
      <div className="flex flex-col gap-2">
        <TextareaField
          form={form}
          name="text"
          label="Text"
          required
          help="Exactly what was signed: the last newline counts too, so a file is safer than pasting."
          rows={8}
        />
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
      <TextareaField
        form={form}
        name="signature"
        label="Signature"
        required
        help="In base64: openssl dgst -sha256 -sign key.pem procedure.md | base64"
        rewordError={(message) =>
          message === "does not verify"
            ? "The signature does not verify: the text differs from what was signed, or it was signed with another key."
            : message
        }
        rows={3}
        spellCheck={false}
        className="break-all font-mono text-xs"
      />
      <SelectField
        form={form}
        name="algorithm"
        label="Signed as"
        options={SopAlgorithm.options.map((value) => ({ value, label: algorithms[value] }))}
      />
    </FormDialog>
  );
}
