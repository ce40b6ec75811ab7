"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { ScrollText } from "lucide-react";
import { useState } from "react";
import { SopLink } from "@/components/approvals/sop-link";
import { QueryState } from "@/components/state/query-state";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { EmptyState } from "@/components/ui/empty-state";
import { RelativeTime } from "@/components/ui/relative-time";
import { Section } from "@/components/ui/section";
import { SkeletonRows } from "@/components/ui/skeleton-rows";
import { type Sop, sopsQuery, withdrawSop } from "@/lib/client/sops";
import { AddSopDialog } from "./sop-dialog";

export function SopDocuments() {
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
        loading={<SkeletonRows rows={2} />}
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
