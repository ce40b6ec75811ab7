"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { errorText } from "@/components/state/describe-error";
import { Button } from "@/components/ui/button";
import { Dialog, DialogClose, DialogContent } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
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
  const formId = useId();
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
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate();
  };
  return (
    <DialogContent
      title="Add procedure"
      description="It is taken only if the signature verifies, byte for byte, with a registered key."
      footer={
        <>
          <DialogClose asChild>
            <Button>Cancel</Button>
          </DialogClose>
          <Button type="submit" form={formId} variant="primary" pending={add.isPending}>
            Verify and add
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={submit} className="flex flex-col gap-5">
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
        {add.error && (error?.errors.length ?? 0) === 0 ? (
          <Notice tone="danger" announce>
            {errorText(add.error)}
          </Notice>
        ) : null}
      </form>
    </DialogContent>
  );
}

function signatureError(error: ApiError | null): string | undefined {
  const message = error?.fieldError("signature");
  return message === "does not verify"
    ? "The signature does not verify: the text differs from what was signed, or it was signed with another key."
    : message;
}
