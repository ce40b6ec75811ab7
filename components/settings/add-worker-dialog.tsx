"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { FormError } from "@/components/forms/form-error";
import { shellQuote } from "@/components/runs/curl-command";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { CodeBlock } from "@/components/ui/code-block";
import { Dialog, DialogClose, DialogContent } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { FormDialogContent } from "@/components/ui/form-dialog-content";
import { Input } from "@/components/ui/input";
import { ApiError } from "@/lib/client/api";
import { addWorker, workersQuery } from "@/lib/client/workers";
import { SecretOnce } from "./secret-once";

type AddWorkerDialogProps = { open: boolean; onOpenChange: (open: boolean) => void };

export function AddWorkerDialog({ open, onOpenChange }: AddWorkerDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      {open ? <AddWorker /> : null}
    </Dialog>
  );
}

function AddWorker() {
  const id = useId();
  const queries = useQueryClient();
  const [name, setName] = useState("");
  const [isManager, setManager] = useState(false);
  const add = useMutation({
    mutationFn: addWorker,
    onSuccess: () => queries.invalidateQueries({ queryKey: workersQuery.queryKey }),
  });
  const error = add.error instanceof ApiError ? add.error : null;

  if (add.data) return <AddedWorker name={add.data.worker.name} token={add.data.token} url={add.data.url} />;
  return (
    <FormDialogContent
      title="Add worker"
      description="You get a token and the command that starts it."
      action="Add worker"
      pending={add.isPending}
      onSubmit={() => add.mutate({ name, manager: isManager })}
    >
      <Field
        label="Name"
        required
        help={error?.fieldError("name") ? null : "Lower-case letters, digits and hyphens."}
        error={error?.fieldError("name")}
      >
        <Input
          value={name}
          maxLength={63}
          autoComplete="off"
          spellCheck={false}
          onChange={({ target }) => setName(target.value)}
        />
      </Field>
      <div className="flex items-start gap-2.5 text-13">
        <Checkbox
          id={`${id}-manager`}
          className="mt-0.5"
          checked={isManager}
          onCheckedChange={(on) => setManager(on === true)}
        />
        <div>
          <label htmlFor={`${id}-manager`} className="font-medium">
            Takes runs meant for this server
          </label>
          <p className="text-muted-foreground text-xs">
            Only for workers you trust like the server: they get the files and arguments of every such run.
          </p>
        </div>
      </div>
      <FormError error={add.error} />
    </FormDialogContent>
  );
}

function AddedWorker({ name, token, url }: { name: string; token: string; url: string }) {
  const origin = shellQuote(url);
  const command = [
    `(umask 077; printf '%s' ${shellQuote(token)} > ${name}.token)`,
    `npm run worker -- --url ${origin} --token-file ${name}.token --name ${name}`,
  ].join("\n");
  return (
    <DialogContent
      title={`Worker ${name} is added`}
      size="lg"
      footer={
        <DialogClose asChild>
          <Button variant="primary">Done</Button>
        </DialogClose>
      }
    >
      <SecretOnce secret={token} label="Token" warning="Copy it now. It is stored as a hash and never shown again.">
        <CodeBlock code={command} label="Start it, in the folder of Skillgate on its machine" />
      </SecretOnce>
    </DialogContent>
  );
}
