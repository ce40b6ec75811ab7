"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import { FormError } from "@/components/forms/form-error";
import { QueryState } from "@/components/state/query-state";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { Dialog } from "@/components/ui/dialog";
import { EmptyState } from "@/components/ui/empty-state";
import { FormDialogContent } from "@/components/ui/form-dialog-content";
import { RelativeTime } from "@/components/ui/relative-time";
import { Section } from "@/components/ui/section";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";
import { ApiError } from "@/lib/client/api";
import { type Credential, changeCredential, credentialsQuery, deleteCredential } from "@/lib/client/credentials";
import { AddCredentialDialog } from "./add-credential-dialog";
import { SecretField } from "./secret-field";

type CredentialRowProps = { credential: Credential; onRotate: () => void; onDelete: () => void };

const SHOWN = 3;

/** Secrets that a review can grant to a version's runs. Their values go in here and never come out. */
export function CredentialSection() {
  const query = useQuery(credentialsQuery);
  const [isAdding, setAdding] = useState(false);
  const [rotated, setRotated] = useState<Credential | null>(null);
  const [deleted, setDeleted] = useState<Credential | null>(null);
  const add = (
    <Button variant="primary" onClick={() => setAdding(true)}>
      Add credential
    </Button>
  );
  return (
    <Section
      title="Credentials"
      description="Secrets that runs get where a review has granted them. Values are stored encrypted, and nobody can read them again."
      actions={add}
    >
      <QueryState
        query={query}
        skeletonRows={3}
        errorTitle="The credentials could not be loaded."
        isEmpty={(list) => list.items.length === 0}
        empty={
          <EmptyState
            icon={KeyRound}
            title="No credential is stored"
            description="Store one here; whoever approves a version then chooses what its runs get."
          />
        }
      >
        {(list) => (
          <Table label="Credentials">
            <TableHead>
              <TableRow>
                <TableHeader>Credential</TableHeader>
                <TableHeader>Given to</TableHeader>
                <TableHeader>Changed</TableHeader>
                <TableHeader>Last used</TableHeader>
                <TableHeader>
                  <span className="sr-only">Actions</span>
                </TableHeader>
              </TableRow>
            </TableHead>
            <TableBody>
              {list.items.map((credential) => (
                <CredentialRow
                  key={credential.id}
                  credential={credential}
                  onRotate={() => setRotated(credential)}
                  onDelete={() => setDeleted(credential)}
                />
              ))}
            </TableBody>
          </Table>
        )}
      </QueryState>
      <AddCredentialDialog open={isAdding} onOpenChange={setAdding} />
      <RotateCredentialDialog credential={rotated} onClose={() => setRotated(null)} />
      <DeleteCredentialDialog credential={deleted} onClose={() => setDeleted(null)} />
    </Section>
  );
}

type DeleteCredentialDialogProps = { credential: Credential | null; onClose: () => void };

/** Names the skills that lose it; confirming then deletes it all the same. */
function DeleteCredentialDialog({ credential, onClose }: DeleteCredentialDialogProps) {
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: ({ id, usedBy }: Credential) => deleteCredential(id, { force: usedBy.length > 0 }),
    onSettled: () => queries.invalidateQueries({ queryKey: credentialsQuery.queryKey }),
  });
  const names = (credential?.usedBy ?? []).map(({ name }) => `“${name}”`);
  return (
    <ConfirmDialog
      open={credential !== null}
      onOpenChange={(open) => !open && onClose()}
      title={`Delete the credential ${credential?.name ?? ""}?`}
      description={
        names.length === 0
          ? "No approved skill is given it. Its value is gone for good."
          : `Runs of ${names.join(", ")} are refused from then on, until there is a credential of this name again. Its value is gone for good.`
      }
      confirmLabel={names.length === 0 ? "Delete credential" : "Delete it all the same"}
      tone="danger"
      onConfirm={() => (credential ? remove.mutateAsync(credential) : undefined)}
    />
  );
}

type RotateCredentialDialogProps = { credential: Credential | null; onClose: () => void };

function RotateCredentialDialog({ credential, onClose }: RotateCredentialDialogProps) {
  return (
    <Dialog open={credential !== null} onOpenChange={(open) => !open && onClose()}>
      {credential ? <ValueForm credential={credential} onDone={onClose} /> : null}
    </Dialog>
  );
}

function ValueForm({ credential, onDone }: { credential: Credential; onDone: () => void }) {
  const queries = useQueryClient();
  const [value, setValue] = useState("");
  const change = useMutation({
    mutationFn: () => changeCredential(credential.id, { value }),
    onSuccess: () => {
      onDone();
      return queries.invalidateQueries({ queryKey: credentialsQuery.queryKey });
    },
  });
  const error = change.error instanceof ApiError ? change.error : null;
  return (
    <FormDialogContent
      title={`New value of ${credential.name}`}
      description="Runs that start from now on get it. The old value is gone."
      action="Set value"
      pending={change.isPending}
      onSubmit={() => change.mutate()}
      autoComplete="off"
    >
      <SecretField value={value} onChange={setValue} error={error?.fieldError("value")} />
      <FormError error={change.error} />
    </FormDialogContent>
  );
}

function CredentialRow({ credential, onRotate, onDelete }: CredentialRowProps) {
  const { name, description, usedBy, updatedAt, updatedBy, lastUsedAt } = credential;
  return (
    <TableRow>
      <TableCell className="min-w-40 py-2">
        <p className="font-mono text-xs">{name}</p>
        {description ? <p className="text-muted-foreground text-xs [overflow-wrap:anywhere]">{description}</p> : null}
      </TableCell>
      <TableCell className="min-w-32">
        {usedBy.length === 0 ? <span className="text-muted-foreground">No skill</span> : <Skills usedBy={usedBy} />}
      </TableCell>
      <TableCell muted className="whitespace-nowrap">
        <RelativeTime value={updatedAt} /> by {updatedBy}
      </TableCell>
      <TableCell muted className="whitespace-nowrap">
        {lastUsedAt ? <RelativeTime value={lastUsedAt} /> : "Never"}
      </TableCell>
      <TableCell className="whitespace-nowrap text-right">
        <div className="inline-flex gap-2">
          <Button size="sm" onClick={onRotate} aria-label={`Set a new value of ${name}`}>
            New value
          </Button>
          <Button size="sm" className="text-danger" onClick={onDelete} aria-label={`Delete the credential ${name}`}>
            Delete
          </Button>
        </div>
      </TableCell>
    </TableRow>
  );
}

function Skills({ usedBy }: Pick<Credential, "usedBy">) {
  const more = usedBy.length - SHOWN;
  return (
    <>
      {usedBy.slice(0, SHOWN).map(({ id, name }, index) => (
        <span key={id}>
          {index > 0 ? ", " : ""}
          <Link href={`/skills/${id}`} className="rounded-sm underline underline-offset-2">
            {name}
          </Link>
        </span>
      ))}
      {more > 0 ? ` and ${more} more` : ""}
    </>
  );
}
