"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ConfirmButton } from "@/components/forms/confirm-button";
import { ListSection } from "@/components/lists/list-section";
import { Button } from "@/components/ui/button";
import { deferred } from "@/components/ui/deferred/deferred";
import { Dialog } from "@/components/ui/dialog";
import { RelativeTime } from "@/components/ui/relative-time";
import type { SshKey } from "@/lib/auth/schema";
import { removeSshKey, sshKeysQuery } from "@/lib/client/ssh-signatures";

const SshKeyForm = deferred(async () => (await import("./ssh-key-form")).SshKeyForm);

export function SshKeys() {
  const [isAdding, setAdding] = useState(false);
  return (
    <>
      <ListSection
        title="SSH keys"
        description="Keys with which you can sign your approvals yourself, for verifiers who do not trust this server."
        actions={<Button onClick={() => setAdding(true)}>Add SSH key</Button>}
        query={useQuery(sshKeysQuery)}
        skeletonRows={1}
        errorTitle="Your SSH keys could not be loaded."
        empty="You have no SSH keys."
      >
        {(keys) => (
          <ul className="divide-y rounded-md border">
            {keys.map((key) => (
              <KeyRow key={key.id} item={key} />
            ))}
          </ul>
        )}
      </ListSection>
      <Dialog open={isAdding} onOpenChange={setAdding}>
        {isAdding ? <SshKeyForm onDone={() => setAdding(false)} /> : null}
      </Dialog>
    </>
  );
}

function KeyRow({ item: { id, name, publicKey, fingerprint, createdAt } }: { item: SshKey }) {
  return (
    <li className="flex min-h-12 items-center gap-3 px-4 py-2 text-13">
      <div className="min-w-0 flex-1">
        <p className="font-medium [overflow-wrap:anywhere]">{name}</p>
        <p className="text-muted-foreground text-xs [overflow-wrap:anywhere]">
          {publicKey.split(" ")[0]} <span className="font-mono">{fingerprint}</span>, added{" "}
          <RelativeTime value={createdAt} />
        </p>
      </div>
      <ConfirmButton
        aria-label={`Remove ${name}`}
        title={`Remove “${name}”?`}
        description="You can no longer sign with this key. Signatures that it made stay with their approvals."
        confirmLabel="Remove key"
        onConfirm={() => removeSshKey(id)}
        refresh={[sshKeysQuery.queryKey]}
      >
        Remove
      </ConfirmButton>
    </li>
  );
}
