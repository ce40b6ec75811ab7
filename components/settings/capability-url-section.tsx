"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link2 } from "lucide-react";
import { useState } from "react";
import { FormError } from "@/components/forms/form-error";
import { QueryState } from "@/components/state/query-state";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { Dialog, DialogClose, DialogContent } from "@/components/ui/dialog";
import { EmptyState } from "@/components/ui/empty-state";
import { Field } from "@/components/ui/field";
import { FormDialogContent } from "@/components/ui/form-dialog-content";
import { Input } from "@/components/ui/input";
import { RelativeTime } from "@/components/ui/relative-time";
import { Section } from "@/components/ui/section";
import { Select } from "@/components/ui/select";
import { ActionsHeader, Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";
import { ApiError } from "@/lib/client/api";
import {
  type CapabilityUrl,
  type CreatedCapabilityUrl,
  capabilityUrlsQuery,
  createCapabilityUrl,
  revokeCapabilityUrl,
} from "@/lib/client/capability-urls";
import { expiresIn, expiries } from "./scope-labels";
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

/** Addresses for clients that cannot sign in. */
export function CapabilityUrlSection() {
  const query = useQuery(capabilityUrlsQuery);
  const [isCreating, setCreating] = useState(false);
  const create = <Button onClick={() => setCreating(true)}>Create capability URL</Button>;
  const isEmpty = query.data?.items.length === 0;
  return (
    <Section
      title="Capability URLs"
      description="Addresses with which a client installs your skills without signing in. Whoever has one can read, and nothing else."
      actions={isEmpty ? null : create}
    >
      <QueryState
        query={query}
        skeletonRows={2}
        errorTitle="Your capability URLs could not be loaded."
        isEmpty={(page) => page.items.length === 0}
        empty={
          <EmptyState
            icon={Link2}
            title="You have no capability URLs"
            description="Programs such as npx skills send no token. Give them an address of their own to install private skills."
            action={create}
          />
        }
      >
        {(page) => <CapabilityUrlTable urls={page.items} />}
      </QueryState>
      <CreateCapabilityUrlDialog open={isCreating} onOpenChange={setCreating} />
    </Section>
  );
}

function CapabilityUrlTable({ urls }: { urls: readonly CapabilityUrl[] }) {
  const queries = useQueryClient();
  const [asked, setAsked] = useState<CapabilityUrl | null>(null);
  const revoke = useMutation({
    mutationFn: revokeCapabilityUrl,
    onSuccess: () => queries.invalidateQueries({ queryKey: capabilityUrlsQuery.queryKey }),
  });
  return (
    <>
      <Table label="Capability URLs">
        <TableHead>
          <tr>
            <TableHeader>Name</TableHeader>
            <TableHeader>Shows</TableHeader>
            <TableHeader className="max-md:hidden">Last used</TableHeader>
            <TableHeader className="max-md:hidden">Expires</TableHeader>
            <ActionsHeader />
          </tr>
        </TableHead>
        <TableBody>
          {urls.map((url) => (
            <TableRow key={url.id}>
              <TableCell className="font-medium">
                {url.name} <code className="font-mono font-normal text-muted-foreground text-xs">/t/{url.prefix}…</code>
              </TableCell>
              <TableCell muted>{url.scope.label}</TableCell>
              <TableCell muted className="max-md:hidden">
                {url.lastUsedAt ? <RelativeTime value={url.lastUsedAt} /> : "Never"}
              </TableCell>
              <TableCell muted className="max-md:hidden">
                {url.expired ? <Badge tone="danger">Expired</Badge> : <RelativeTime value={url.expiresAt} />}
              </TableCell>
              <TableCell align="right">
                <Button size="sm" onClick={() => setAsked(url)} aria-label={`Revoke ${url.name}`}>
                  Revoke
                </Button>
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
      <ConfirmDialog
        open={asked !== null}
        onOpenChange={(open) => !open && setAsked(null)}
        title={`Revoke “${asked?.name ?? ""}”?`}
        description="Clients that use it find nothing from the next request on. What they installed stays. This cannot be undone."
        confirmLabel="Revoke URL"
        tone="danger"
        onConfirm={() => (asked ? revoke.mutateAsync(asked.id) : undefined)}
      />
    </>
  );
}

function CreateCapabilityUrlDialog({ open, onOpenChange }: CreateCapabilityUrlDialogProps) {
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
