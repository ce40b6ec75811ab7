"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { ScrollText } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import { SopLink } from "@/components/approvals/sop-link";
import { FormError } from "@/components/forms/form-error";
import { QueryState } from "@/components/state/query-state";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { Dialog } from "@/components/ui/dialog";
import { Digest } from "@/components/ui/digest";
import { EmptyState } from "@/components/ui/empty-state";
import { Field } from "@/components/ui/field";
import { FormDialogContent } from "@/components/ui/form-dialog-content";
import { Input } from "@/components/ui/input";
import { Notice } from "@/components/ui/notice";
import { RelativeTime } from "@/components/ui/relative-time";
import { Section } from "@/components/ui/section";
import { Skeleton } from "@/components/ui/skeleton";
import { Textarea } from "@/components/ui/textarea";
import { ApiError } from "@/lib/client/api";
import { settingsQuery } from "@/lib/client/settings";
import {
  addSopKey,
  type Sop,
  type SopKey,
  sopKeysQuery,
  sopsQuery,
  withdrawSop,
  withdrawSopKey,
} from "@/lib/client/sops";
import { AddSopDialog } from "./sop-dialog";

/** Signed standard operating procedures, the keys they are signed with, and whether dangerous runs need one. */
export function SopSection() {
  return (
    <>
      <SopRule />
      <SopDocuments />
      <SopKeys />
    </>
  );
}

/** Whether the procedures below are needed at all. */
function SopRule() {
  const { data } = useQuery(settingsQuery);
  if (!data) return <Skeleton className="h-10" />;
  const isNeeded = data.values.dangerousNeedsSop;
  return (
    <Notice
      action={
        <Button size="sm" asChild>
          <Link href="/settings/instance">Change setting</Link>
        </Button>
      }
    >
      {isNeeded
        ? "Dangerous runs have to name a procedure here, and those who sign see it."
        : "Dangerous runs may name a procedure, but need none."}
    </Notice>
  );
}

function SopKeys() {
  const query = useQuery(sopKeysQuery);
  const [isAdding, setAdding] = useState(false);
  const [asked, setAsked] = useState<SopKey | null>(null);
  const queries = useQueryClient();
  const withdraw = useMutation({
    mutationFn: withdrawSopKey,
    onSuccess: () =>
      Promise.all(
        [sopKeysQuery.queryKey, sopsQuery.queryKey].map((queryKey) => queries.invalidateQueries({ queryKey })),
      ),
  });
  return (
    <Section
      title="Keys"
      description="RSA public keys of those who write procedures. Only what is signed with one of them is taken."
      actions={<Button onClick={() => setAdding(true)}>Add key</Button>}
    >
      <QueryState
        query={query}
        skeletonRows={2}
        errorTitle="The keys could not be loaded."
        isEmpty={(page) => page.items.length === 0}
        empty={
          <p className="py-2 text-13 text-muted-foreground">No key is registered, so no procedure can be added.</p>
        }
      >
        {(page) => (
          <ul className="divide-y rounded-md border">
            {page.items.map((key) => (
              <li key={key.id} className="flex items-center gap-4 px-4 py-3 text-13">
                <div className="min-w-0 flex-1">
                  <p className="font-medium">{key.name}</p>
                  <p className="text-muted-foreground text-xs">
                    RSA, {key.bits} bits, fingerprint <Digest value={key.fingerprint} label="fingerprint" />, added{" "}
                    <RelativeTime value={key.createdAt} />
                  </p>
                </div>
                <Button size="sm" onClick={() => setAsked(key)} aria-label={`Withdraw the key ${key.name}`}>
                  Withdraw
                </Button>
              </li>
            ))}
          </ul>
        )}
      </QueryState>
      <AddSopKeyDialog open={isAdding} onOpenChange={setAdding} />
      <ConfirmDialog
        open={asked !== null}
        onOpenChange={(open) => !open && setAsked(null)}
        title={`Withdraw the key “${asked?.name ?? ""}”?`}
        description="Procedures signed with it no longer verify, and runs that wait under them do not start. This cannot be undone."
        confirmLabel="Withdraw key"
        tone="danger"
        onConfirm={() => (asked ? withdraw.mutateAsync(asked.id) : undefined)}
      />
    </Section>
  );
}

type AddSopKeyDialogProps = { open: boolean; onOpenChange: (open: boolean) => void };

function AddSopKeyDialog({ open, onOpenChange }: AddSopKeyDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      {open ? <KeyForm onDone={() => onOpenChange(false)} /> : null}
    </Dialog>
  );
}

function KeyForm({ onDone }: { onDone: () => void }) {
  const queries = useQueryClient();
  const [name, setName] = useState("");
  const [publicKey, setPublicKey] = useState("");
  const add = useMutation({
    mutationFn: () => addSopKey({ name, publicKey }),
    onSuccess: () => {
      onDone();
      return queries.invalidateQueries({ queryKey: sopKeysQuery.queryKey });
    },
  });
  const error = add.error instanceof ApiError ? add.error : null;
  return (
    <FormDialogContent
      title="Add key"
      description="The public half only. Whoever writes procedures keeps the private one."
      action="Add key"
      pending={add.isPending}
      onSubmit={() => add.mutate()}
    >
      <Field label="Name" required help="Whose key it is." error={error?.fieldError("name")}>
        <Input value={name} maxLength={100} autoComplete="off" onChange={({ target }) => setName(target.value)} />
      </Field>
      <Field
        label="Public key"
        required
        help="In PEM form, RSA of 2048 bits or more: openssl rsa -in key.pem -pubout"
        error={error?.fieldError("publicKey")}
      >
        <Textarea
          rows={7}
          spellCheck={false}
          placeholder="-----BEGIN PUBLIC KEY-----"
          className="font-mono text-xs"
          value={publicKey}
          onChange={({ target }) => setPublicKey(target.value)}
        />
      </Field>
      <FormError error={add.error} />
    </FormDialogContent>
  );
}

function SopDocuments() {
  const query = useQuery(sopsQuery);
  const [isAdding, setAdding] = useState(false);
  const [asked, setAsked] = useState<Sop | null>(null);
  const queries = useQueryClient();
  const withdraw = useMutation({
    mutationFn: withdrawSop,
    onSuccess: () => queries.invalidateQueries({ queryKey: sopsQuery.queryKey }),
  });
  return (
    <Section
      title="Procedures"
      description="Documents that say how something dangerous is done. A run names one; its approvers read it."
      actions={<Button onClick={() => setAdding(true)}>Add procedure</Button>}
    >
      <QueryState
        query={query}
        skeletonRows={2}
        errorTitle="The procedures could not be loaded."
        isEmpty={(page) => page.items.length === 0}
        empty={
          <EmptyState
            icon={ScrollText}
            title="There is no procedure"
            description="Register the public key of whoever writes them first, then each document with its signature."
            className="py-8"
          />
        }
      >
        {(page) => (
          <ul className="divide-y rounded-md border">
            {page.items.map((sop) => (
              <li key={sop.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
                <div className="min-w-48 flex-1">
                  <SopLink sop={sop} />
                  <p className="mt-1 text-muted-foreground text-xs">
                    Signed with {sop.key.name}, added <RelativeTime value={sop.createdAt} />
                  </p>
                </div>
                <Button size="sm" onClick={() => setAsked(sop)} aria-label={`Withdraw ${sop.title}`}>
                  Withdraw
                </Button>
              </li>
            ))}
          </ul>
        )}
      </QueryState>
      <AddSopDialog open={isAdding} onOpenChange={setAdding} />
      <ConfirmDialog
        open={asked !== null}
        onOpenChange={(open) => !open && setAsked(null)}
        title={`Withdraw “${asked?.title ?? ""}”?`}
        description="Runs that wait under it do not start any more. This cannot be undone."
        confirmLabel="Withdraw procedure"
        tone="danger"
        onConfirm={() => (asked ? withdraw.mutateAsync(asked.id) : undefined)}
      />
    </Section>
  );
}
