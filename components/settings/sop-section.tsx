"use client";
import { useQuery } from "@tanstack/react-query";
import { ScrollText } from "lucide-react";
import Link from "next/link";
import { useRef } from "react";
import { SopLink } from "@/components/approvals/sop-link";
import { ConfirmButton } from "@/components/forms/confirm-button";
import { FormDialog, SelectField, TextareaField, TextField } from "@/components/forms/form";
import { useApiForm } from "@/components/forms/use-api-form";
import { ListSection } from "@/components/lists/list-section";
import { Button } from "@/components/ui/button";
import { Digest } from "@/components/ui/digest";
import { Notice } from "@/components/ui/notice";
import { RelativeTime } from "@/components/ui/relative-time";
import { Skeleton } from "@/components/ui/skeleton";
import { addSop, addSopKey, sopKeysQuery, sopsQuery, withdrawSop, withdrawSopKey } from "@/lib/client/approvals";
import { settingsQuery } from "@/lib/client/settings";
import type { SopAlgorithm } from "@/lib/runner/schema";

export function SopSection() {
  return (
    <>
      <SopRule />
      <SopDocuments />
      <SopKeys />
    </>
  );
}

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
        ? "Each dangerous run must name one of these procedures; its approvers see it."
        : "Naming a procedure is optional for dangerous runs."}
    </Notice>
  );
}

function SopKeys() {
  return (
    <ListSection
      title="Keys"
      description="RSA public keys of the authors of procedures. Only procedures signed with one of these keys are accepted."
      query={useQuery(sopKeysQuery)}
      skeletonRows={2}
      errorTitle="The keys could not be loaded."
      empty="No keys yet. Add one before you add a procedure."
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
                description="Procedures signed with it become invalid, and waiting runs that name them do not start. This cannot be undone."
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
    schema: async () => (await import("@/lib/runner/schema")).CreateSopKeyInput,
    send: addSopKey,
    refresh: [sopKeysQuery.queryKey],
    onDone,
  });
  return (
    <FormDialog
      form={form}
      title="Add key"
      description="Add the public key only. The author of the procedures keeps the private key."
      action="Add key"
    >
      <TextField form={form} name="name" label="Name" required help="Owner of the key." maxLength={100} />
      <TextareaField
        form={form}
        name="publicKey"
        label="Public key"
        required
        help="PEM, RSA with at least 2048 bits: openssl rsa -in key.pem -pubout"
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
      description="Signed instructions for dangerous work. A run names one, and its approvers read it."
      query={useQuery(sopsQuery)}
      skeletonRows={2}
      errorTitle="The procedures could not be loaded."
      empty={{
        icon: ScrollText,
        title: "No procedures",
        description: "First add the author’s public key, then each document with its signature.",
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
                description="Waiting runs that name it do not start. This cannot be undone."
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

const algorithms: Record<SopAlgorithm, string> = {
  "rsa-sha256": "RSA with SHA-256 (PKCS #1 v1.5)",
  "rsa-pss-sha256": "RSA-PSS with SHA-256",
};

/** The text comes from a field or a file. A file keeps line breaks and the last newline, which the signature covers. */
function SopForm({ onDone }: { onDone: () => void }) {
  const { data: keys } = useQuery(sopKeysQuery);
  const input = useRef<HTMLInputElement>(null);
  const form = useApiForm({
    values: { title: "", text: "", signature: "", algorithm: "rsa-sha256" as SopAlgorithm },
    // Base64 is often wrapped in lines.
    body: ({ signature, ...values }) => ({ ...values, signature: signature.replace(/\s+/g, "") }),
    schema: async () => (await import("@/lib/runner/schema")).CreateSopInput,
    send: addSop,
    refresh: [sopsQuery.queryKey],
    onDone,
  });
  const read = async (file: File | undefined) => {
    if (!file) return;
    form.clearErrors("text");
    try {
      form.setValue(
        "text",
        new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await file.arrayBuffer()),
      );
    } catch {
      form.setError("text", { message: `${file.name} is not UTF-8 text. Choose a file that is saved as UTF-8.` });
    }
  };
  return (
    <FormDialog
      form={form}
      title="Add procedure"
      description="The procedure is accepted only if its signature matches the text and a registered key."
      action="Verify and add"
    >
      {keys?.items.length === 0 ? (
        <Notice tone="warning">No key is registered yet. Add the public key first.</Notice>
      ) : null}
      <TextField form={form} name="title" label="Title" required maxLength={200} />
      <div className="flex flex-col gap-2">
        <TextareaField
          form={form}
          name="text"
          label="Text"
          required
          help="Exactly the signed text, including the last newline. A file is safer than pasting."
          rows={8}
        />
        <input
          ref={input}
          type="file"
          aria-label="Read the text from a file"
          accept=".md,.txt,text/*"
          className="sr-only"
          tabIndex={-1}
          onChange={({ target }) => void read(target.files?.[0])}
        />
        <Button size="sm" className="self-start" onClick={() => input.current?.click()}>
          Choose file
        </Button>
      </div>
      <TextareaField
        form={form}
        name="signature"
        label="Signature"
        required
        help="In base64: openssl dgst -sha256 -sign key.pem procedure.md | base64"
        rewordError={(message) =>
          message === "does not verify"
            ? "The signature does not match: the text differs from the signed one, or another key signed it."
            : message
        }
        rows={3}
        spellCheck={false}
        className="break-all font-mono text-xs"
      />
      <SelectField
        form={form}
        name="algorithm"
        label="Algorithm"
        options={Object.entries(algorithms).map(([value, label]) => ({ value, label }))}
      />
    </FormDialog>
  );
}
