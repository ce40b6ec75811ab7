"use client";

import { useQuery } from "@tanstack/react-query";
import { Link2 } from "lucide-react";
import { ConfirmButton } from "@/components/forms/confirm-button";
import { FormDialog, SelectField, TextField } from "@/components/forms/form";
import { useApiForm } from "@/components/forms/use-api-form";
import { actionsColumn, type Column, DataTable, timeColumn } from "@/components/lists/data-table";
import { ListSection } from "@/components/lists/list-section";
import { Badge } from "@/components/ui/badge";
import { CodeBlock } from "@/components/ui/code-block";
import { RelativeTime } from "@/components/ui/relative-time";
import { capabilityUrlsQuery, createCapabilityUrl, revokeCapabilityUrl } from "@/lib/client/tokens";
import type { CapabilityUrl, Connection, CreateCapabilityUrlInput } from "@/lib/distribution/schema";
import { expiresIn, expiries } from "./scope-labels";
import { SecretDialog } from "./secret-dialog";

const KINDS = [
  { value: "root", label: "Everything I can use" },
  { value: "skill", label: "One skill" },
  { value: "publisher", label: "One publisher" },
  { value: "collection", label: "One collection" },
] as const;

type Kind = (typeof KINDS)[number]["value"];

const TARGETS: Record<Exclude<Kind, "root">, { label: string; help: string }> = {
  skill: { label: "Skill", help: "Name of the skill." },
  publisher: { label: "Publisher", help: "Last part of the publisher page’s address." },
  collection: { label: "Collection", help: "Last part of the collection page’s address." },
};

const columns: readonly Column<CapabilityUrl>[] = [
  {
    header: "Name",
    cellClassName: "font-medium",
    cell: ({ name, prefix }) => (
      <>
        {name} <code className="font-mono font-normal text-muted-foreground text-xs">/t/{prefix}…</code>
      </>
    ),
  },
  { header: "Includes", muted: true, cell: ({ scope }) => scope.label },
  timeColumn("Last used", ({ lastUsedAt }) => lastUsedAt, { className: "max-md:hidden" }),
  {
    header: "Expires",
    muted: true,
    className: "max-md:hidden",
    cell: ({ expired, expiresAt }) =>
      expired ? <Badge tone="danger">Expired</Badge> : <RelativeTime value={expiresAt} />,
  },
  actionsColumn(({ id, name }) => (
    <ConfirmButton
      aria-label={`Revoke ${name}`}
      title={`Revoke “${name}”?`}
      description="Clients that use this URL find nothing from the next request. Skills they installed stay. This cannot be undone."
      confirmLabel="Revoke URL"
      onConfirm={() => revokeCapabilityUrl(id)}
      refresh={[capabilityUrlsQuery.queryKey]}
    >
      Revoke
    </ConfirmButton>
  )),
];

export function CapabilityUrlSection() {
  return (
    <ListSection
      title="Capability URLs"
      description="Read-only URLs that let clients install your skills without signing in. Keep them secret like passwords."
      query={useQuery(capabilityUrlsQuery)}
      skeletonRows={2}
      errorTitle="Your capability URLs could not be loaded."
      empty={{
        icon: Link2,
        title: "You have no capability URLs",
        description:
          "Some clients, such as npx skills, send no token. Give each its own URL to install private skills.",
        withCreate: true,
      }}
      create="Create capability URL"
      createVariant="secondary"
      dialog={() => <CapabilityUrlForm />}
    >
      {(urls) => <DataTable label="Capability URLs" rows={urls} rowId={({ id }) => id} columns={columns} />}
    </ListSection>
  );
}

type CapabilityUrlFormProps = { fixedScope?: Connection["scope"]; onMade?: (url: string) => void };

/** Creates a capability URL for a chosen scope, or for `fixedScope`. Shows the URL unless `onMade` takes it. */
export function CapabilityUrlForm({ fixedScope, onMade }: CapabilityUrlFormProps) {
  const form = useApiForm({
    values: {
      name: "",
      scope: { kind: (fixedScope?.id ? fixedScope.kind : "root") as Kind, id: fixedScope?.id ?? "" },
      expiresAt: "90",
    },
    body: ({ name, scope: { kind, id }, expiresAt }): CreateCapabilityUrlInput => ({
      name,
      scope: kind === "root" ? { kind } : { kind, id: id.trim() },
      expiresAt: expiresIn(expiresAt, Date.now()),
    }),
    schema: async () => (await import("@/lib/distribution/schema")).CreateCapabilityUrlInput,
    send: createCapabilityUrl,
    refresh: [capabilityUrlsQuery.queryKey],
    onDone: ({ url }) => onMade?.(url),
  });
  const kind = form.watch("scope.kind");

  if (form.answer && !onMade) {
    const { name, url } = form.answer;
    return (
      <SecretDialog
        title={`Capability URL “${name}” is ready`}
        secret={url}
        label="Capability URL"
        warning="Copy it now: it is stored as a hash and never shown again. The URL alone is enough to read these skills."
      >
        <CodeBlock code={`npx skills add ${url} --list`} label="Try it" language="sh" wrap />
      </SecretDialog>
    );
  }
  return (
    <FormDialog
      form={form}
      title="Create capability URL"
      description={
        fixedScope && fixedScope.kind !== "root"
          ? `Read-only access to “${fixedScope.label}”.`
          : "Read-only access, never to more than you can use yourself."
      }
      action="Create URL"
    >
      <TextField
        form={form}
        name="name"
        label="Name"
        required
        help="Where you will use it, e.g. “laptop” or “build server”."
        maxLength={80}
      />
      {fixedScope ? null : <SelectField form={form} name="scope.kind" label="Includes" options={KINDS} />}
      {fixedScope || kind === "root" ? null : <TextField form={form} name="scope.id" {...TARGETS[kind]} required />}
      <SelectField form={form} name="expiresAt" label="Expires in" options={expiries} className="w-40" />
    </FormDialog>
  );
}
