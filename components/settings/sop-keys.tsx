"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { QueryState } from "@/components/state/query-state";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { Digest } from "@/components/ui/digest";
import { RelativeTime } from "@/components/ui/relative-time";
import { Section } from "@/components/ui/section";
import { SkeletonRows } from "@/components/ui/skeleton-rows";
import { type SopKey, sopKeysQuery, sopsQuery, withdrawSopKey } from "@/lib/client/sops";
import { AddSopKeyDialog } from "./sop-key-dialog";

export function SopKeys() {
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
        loading={<SkeletonRows rows={2} />}
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
