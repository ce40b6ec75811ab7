"use client";

import { useQuery } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import Link from "next/link";
import { ConfirmButton } from "@/components/forms/confirm-button";
import { FormDialog, TextField } from "@/components/forms/form";
import { useApiForm } from "@/components/forms/use-api-form";
import { actionsColumn, type Column, DataTable, timeColumn } from "@/components/lists/data-table";
import { ListSection } from "@/components/lists/list-section";
import { Button } from "@/components/ui/button";
import { RelativeTime } from "@/components/ui/relative-time";
import { addCredential, changeCredential, credentialsQuery, deleteCredential } from "@/lib/client/credentials";
import type { Credential } from "@/lib/settings/credentials/schema";
import { SecretField } from "./secret-field";

const MAX_LISTED = 3;

/** Secrets that a review can grant to a version's runs. The API never returns their values. */
export function CredentialSection() {
  return (
    <ListSection
      title="Credentials"
      description="Secrets that reviewers can grant to runs. Values are stored encrypted and cannot be read back."
      query={useQuery(credentialsQuery)}
      skeletonRows={3}
      errorTitle="The credentials could not be loaded."
      empty={{
        icon: KeyRound,
        title: "No credentials",
        description: "Add one here. When reviewers approve a version, they choose the credentials its runs receive.",
      }}
      create="Add credential"
      dialog={(credential, close) =>
        credential ? <ValueForm credential={credential} onDone={close} /> : <CredentialForm onDone={close} />
      }
    >
      {(credentials, rotate) => (
        <DataTable label="Credentials" rows={credentials} rowId={({ id }) => id} columns={columnsWith(rotate)} />
      )}
    </ListSection>
  );
}

function columnsWith(rotate: (credential: Credential) => void): readonly Column<Credential>[] {
  return [
    {
      header: "Credential",
      cellClassName: "min-w-40 py-2",
      cell: ({ name, description }) => (
        <>
          <p className="font-mono text-xs">{name}</p>
          {description ? <p className="text-muted-foreground text-xs [overflow-wrap:anywhere]">{description}</p> : null}
        </>
      ),
    },
    { header: "Granted to", cellClassName: "min-w-32", cell: ({ usedBy }) => <Skills usedBy={usedBy} /> },
    {
      header: "Changed",
      muted: true,
      cellClassName: "whitespace-nowrap",
      cell: ({ updatedAt, updatedBy }) => (
        <>
          <RelativeTime value={updatedAt} /> by {updatedBy}
        </>
      ),
    },
    timeColumn("Last used", ({ lastUsedAt }) => lastUsedAt, { cellClassName: "whitespace-nowrap" }),
    actionsColumn(
      (credential) => (
        <div className="inline-flex gap-2">
          <Button size="sm" onClick={() => rotate(credential)} aria-label={`Replace the value of ${credential.name}`}>
            Replace value
          </Button>
          <DeleteCredential credential={credential} />
        </div>
      ),
      "whitespace-nowrap",
    ),
  ];
}

function DeleteCredential({ credential: { id, name, usedBy } }: { credential: Credential }) {
  const isUsed = usedBy.length > 0;
  return (
    <ConfirmButton
      className="text-danger"
      aria-label={`Delete the credential ${name}`}
      title={`Delete the credential ${name}?`}
      description={
        isUsed
          ? `Runs of ${usedBy.map((skill) => `“${skill.name}”`).join(", ")} are refused until a credential with this name exists again. The value is deleted permanently.`
          : "No approved skill uses it. The value is deleted permanently."
      }
      confirmLabel={isUsed ? "Delete anyway" : "Delete credential"}
      onConfirm={() => deleteCredential(id, { force: isUsed })}
      refresh={[credentialsQuery.queryKey]}
    >
      Delete
    </ConfirmButton>
  );
}

function CredentialForm({ onDone }: { onDone: () => void }) {
  const form = useApiForm({
    values: { name: "", description: "", value: "" },
    schema: async () => (await import("@/lib/settings/credentials/schema")).CreateCredentialInput,
    send: addCredential,
    refresh: [credentialsQuery.queryKey],
    onDone,
  });
  return (
    <FormDialog
      form={form}
      title="Add credential"
      description="Runs receive it only after a reviewer grants it to a version."
      action="Add credential"
      autoComplete="off"
    >
      <TextField
        form={form}
        name="name"
        label="Name"
        required
        help="Shown to reviewers. Lower-case letters, digits, - and _."
        maxLength={63}
        spellCheck={false}
        className="font-mono"
      />
      <TextField
        form={form}
        name="description"
        label="Description"
        optional
        help="Which system it gives access to, and with which rights."
        maxLength={500}
      />
      <SecretField form={form} name="value" />
    </FormDialog>
  );
}

function ValueForm({ credential: { id, name }, onDone }: { credential: Credential; onDone: () => void }) {
  const form = useApiForm({
    values: { value: "" },
    schema: async () => (await import("@/lib/settings/credentials/schema")).PatchCredentialInput,
    send: (patch) => changeCredential(id, patch),
    refresh: [credentialsQuery.queryKey],
    onDone,
  });
  return (
    <FormDialog
      form={form}
      title={`Replace the value of ${name}`}
      description="New runs receive the new value. The old value is deleted."
      action="Replace value"
      autoComplete="off"
    >
      <SecretField form={form} name="value" />
    </FormDialog>
  );
}

function Skills({ usedBy }: Pick<Credential, "usedBy">) {
  const more = usedBy.length - MAX_LISTED;
  if (usedBy.length === 0) return <span className="text-muted-foreground">None</span>;
  return (
    <>
      {usedBy.slice(0, MAX_LISTED).map(({ id, name }, index) => (
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
