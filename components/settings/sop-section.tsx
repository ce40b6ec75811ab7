"use client";

import { useQuery } from "@tanstack/react-query";
import { ScrollText } from "lucide-react";
import Link from "next/link";
import { SopLink } from "@/components/approvals/sop-link";
import { ConfirmButton } from "@/components/forms/confirm-button";
import { FormDialog, TextareaField, TextField } from "@/components/forms/form";
import { useApiForm } from "@/components/forms/use-api-form";
import { ListSection } from "@/components/lists/list-section";
import { Button } from "@/components/ui/button";
import { Digest } from "@/components/ui/digest";
import { Notice } from "@/components/ui/notice";
import { RelativeTime } from "@/components/ui/relative-time";
import { Skeleton } from "@/components/ui/skeleton";
import { addSopKey, sopKeysQuery, sopsQuery, withdrawSop, withdrawSopKey } from "@/lib/client/approvals";
import { settingsQuery } from "@/lib/client/settings";

import { CreateSopKeyInput } from "@/lib/runner/schema";
import { SopForm } from "./sop-form";

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
  return (
    <ListSection
      title="Keys"
      description="RSA public keys of those who write procedures. Only what is signed with one of them is taken."
      query={useQuery(sopKeysQuery)}
      skeletonRows={2}
      errorTitle="The keys could not be loaded."
      empty="No key is registered, so no procedure can be added."
      create="Add key"
      createVariant="secondary"
      dialog={(_, close) => <KeyForm onDone={close} />}
    >
      {(keys) => (
        <ul className="divide-y rounded-md border">
          {keys.map(({ id, name, bits, fingerprint, createdAt }) => (
            <li key={id} className="flex items-center gap-4 px-4 py-3 text-13">
              <div className="min-w-0 flex-1">
                <p className="font-medium">{name}</p>
                <p className="text-muted-foreground text-xs">
                  RSA, {bits} bits, fingerprint <Digest value={fingerprint} label="fingerprint" />, added{" "}
                  <RelativeTime value={createdAt} />
                </p>
              </div>
              <ConfirmButton
                aria-label={`Withdraw the key ${name}`}
                title={`Withdraw the key “${name}”?`}
                description="Procedures signed with it no longer verify, and runs that wait under them do not start. This cannot be undone."
                confirmLabel="Withdraw key"
                onConfirm={() => withdrawSopKey(id)}
                refresh={[sopKeysQuery.queryKey, sopsQuery.queryKey]}
              >
                Withdraw
              </ConfirmButton>
            </li>
          ))}
        </ul>
      )}
    </ListSection>
  );
}

function KeyForm({ onDone }: { onDone: () => void }) {
  const form = useApiForm({
    values: { name: "", publicKey: "" },
    schema: CreateSopKeyInput,
    send: addSopKey,
    refresh: [sopKeysQuery.queryKey],
    onDone,
  });
  return (
    <FormDialog
      form={form}
      title="Add key"
      description="The public half only. Whoever writes procedures keeps the private one."
      action="Add key"
    >
      <TextField form={form} name="name" label="Name" required help="Whose key it is." maxLength={100} />
      <TextareaField
        form={form}
        name="publicKey"
        label="Public key"
        required
        help="In PEM form, RSA of 2048 bits or more: openssl rsa -in key.pem -pubout"
        rows={7}
        spellCheck={false}
        placeholder="-----BEGIN PUBLIC KEY-----"
        className="font-mono text-xs"
      />
    </FormDialog>
  );
}

function SopDocuments() {
  return (
    <ListSection
      title="Procedures"
      description="Documents that say how something dangerous is done. A run names one; its approvers read it."
      query={useQuery(sopsQuery)}
      skeletonRows={2}
      errorTitle="The procedures could not be loaded."
      empty={{
        icon: ScrollText,
        title: "There is no procedure",
        description: "Register the public key of whoever writes them first, then each document with its signature.",
        className: "py-8",
      }}
      create="Add procedure"
      createVariant="secondary"
      dialog={(_, close) => <SopForm onDone={close} />}
    >
      {(sops) => (
        <ul className="divide-y rounded-md border">
          {sops.map((sop) => (
            <li key={sop.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
              <div className="min-w-48 flex-1">
                <SopLink sop={sop} />
                <p className="mt-1 text-muted-foreground text-xs">
                  Signed with {sop.key.name}, added <RelativeTime value={sop.createdAt} />
                </p>
              </div>
              <ConfirmButton
                aria-label={`Withdraw ${sop.title}`}
                title={`Withdraw “${sop.title}”?`}
                description="Runs that wait under it do not start any more. This cannot be undone."
                confirmLabel="Withdraw procedure"
                onConfirm={() => withdrawSop(sop.id)}
                refresh={[sopsQuery.queryKey]}
              >
                Withdraw
              </ConfirmButton>
            </li>
          ))}
        </ul>
      )}
    </ListSection>
  );
}
