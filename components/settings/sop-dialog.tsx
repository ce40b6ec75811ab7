"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { FormError } from "@/components/state/form-error";
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
import { SopTextField } from "./sop-text-field";

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
