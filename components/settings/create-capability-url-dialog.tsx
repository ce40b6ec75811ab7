"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { FormError } from "@/components/state/form-error";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { Dialog, DialogClose, DialogContent } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { FormDialogContent } from "@/components/ui/form-dialog-content";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { ApiError } from "@/lib/client/api";
import { type CreatedCapabilityUrl, capabilityUrlsQuery, createCapabilityUrl } from "@/lib/client/capability-urls";
import { expiresIn, expiries } from "./scope-words";
import { SecretOnce } from "./secret-once";

const KINDS = [
  { value: "root", label: "Everything I can use" },
  { value: "skill", label: "One skill" },
  { value: "publisher", label: "One publisher" },
  { value: "collection", label: "One collection" },
] as const;
type Kind = (typeof KINDS)[number]["value"];

const TARGETS: Record<Exclude<Kind, "root">, { label: string; help: string }> = {
  skill: { label: "Skill", help: "Its name." },
  publisher: { label: "Publisher", help: "The last part of its page’s address." },
  collection: { label: "Collection", help: "The last part of its page’s address." },
};

type CreateCapabilityUrlDialogProps = { open: boolean; onOpenChange: (open: boolean) => void };

export function CreateCapabilityUrlDialog({ open, onOpenChange }: CreateCapabilityUrlDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      {open ? <CreateCapabilityUrl /> : null}
    </Dialog>
  );
}

function CreateCapabilityUrl() {
  const queries = useQueryClient();
  const [name, setName] = useState("");
  const [kind, setKind] = useState<Kind>("root");
  const [target, setTarget] = useState("");
  const [days, setDays] = useState("90");
  const create = useMutation({
    mutationFn: createCapabilityUrl,
    onSuccess: () => queries.invalidateQueries({ queryKey: capabilityUrlsQuery.queryKey }),
  });
  const error = create.error instanceof ApiError ? create.error : null;
  const submit = () => {
    create.mutate({
      name,
      scope: kind === "root" ? { kind } : { kind, id: target.trim() },
      expiresAt: expiresIn(days, Date.now()),
    });
  };

  if (create.data) return <CreatedUrl created={create.data} />;
  return (
    <FormDialogContent
      title="Create capability URL"
      description="It never shows more than you can use yourself."
      action="Create URL"
      pending={create.isPending}
      onSubmit={submit}
    >
      <Field label="Name" required help="Where it is used: “laptop”, “build server”." error={error?.fieldError("name")}>
        <Input value={name} maxLength={80} onChange={(event) => setName(event.target.value)} autoComplete="off" />
      </Field>
      <Field label="Shows" error={error?.fieldError("scope")}>
        <Select
          options={KINDS}
          value={kind}
          onChange={(event) => setKind(KINDS.find(({ value }) => value === event.target.value)?.value ?? "root")}
        />
      </Field>
      {kind === "root" ? null : (
        <Field label={TARGETS[kind].label} required help={TARGETS[kind].help} error={error?.fieldError("scope.id")}>
          <Input value={target} onChange={(event) => setTarget(event.target.value)} autoComplete="off" />
        </Field>
      )}
      <Field label="Expires in" error={error?.fieldError("expiresAt")}>
        <Select options={expiries} value={days} onChange={(event) => setDays(event.target.value)} className="w-40" />
      </Field>
      <FormError error={create.error} />
    </FormDialogContent>
  );
}

function CreatedUrl({ created: { url, name } }: { created: CreatedCapabilityUrl }) {
  return (
    <DialogContent
      title={`Capability URL “${name}” is ready`}
      size="lg"
      footer={
        <DialogClose asChild>
          <Button variant="primary">Done</Button>
        </DialogClose>
      }
    >
      <SecretOnce
        secret={url}
        label="Capability URL"
        warning="Copy it now. Whoever has it can read these skills; it is stored as a hash and never shown again."
      >
        <CodeBlock code={`npx skills add ${url} --list`} label="Try it" wrap />
      </SecretOnce>
    </DialogContent>
  );
}
