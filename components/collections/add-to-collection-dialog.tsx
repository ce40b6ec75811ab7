"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { useState } from "react";
import { displayName } from "@/components/skills/skill-labels";
import { errorText } from "@/components/state/describe-error";
import { QueryState } from "@/components/state/query-state";
import { Button } from "@/components/ui/button";
import { Dialog, DialogClose, DialogContent } from "@/components/ui/dialog";
import { useToast } from "@/components/ui/toast";
import {
  addToCollection,
  type CollectionSummary,
  collectionsKey,
  collectionsQuery,
  removeFromCollection,
} from "@/lib/client/collections";
import type { Skill } from "@/lib/skills/schema";
import { CollectionForm } from "./collection-form";

type AddToCollectionDialogProps = { skill: Skill; onOpenChange: (open: boolean) => void };

/** In which of one’s collections a skill is. */
export function AddToCollectionDialog({ skill, onOpenChange }: AddToCollectionDialogProps) {
  const [isCreating, setCreating] = useState(false);
  const all = useQuery(collectionsQuery({ mine: true }));
  const having = useQuery(collectionsQuery({ mine: true, skill: skill.id }));
  const change = useChange(skill);
  if (isCreating) {
    return (
      <Dialog open onOpenChange={onOpenChange}>
        <CollectionForm
          onDone={(collection) => {
            setCreating(false);
            change.mutate({ collection, isIn: false });
          }}
        />
      </Dialog>
    );
  }
  return (
    <Dialog open onOpenChange={onOpenChange}>
      <DialogContent
        title={`Collections with ${displayName(skill)}`}
        footer={
          <>
            <Button onClick={() => setCreating(true)}>New collection</Button>
            <DialogClose asChild>
              <Button variant="primary">Done</Button>
            </DialogClose>
          </>
        }
      >
        <QueryState
          query={all}
          skeletonRows={3}
          errorTitle="Your collections could not be loaded."
          isEmpty={(page) => page.items.length === 0}
          empty={<p className="text-13 text-muted-foreground">You have no collection yet.</p>}
        >
          {({ items }) => (
            <ul className="flex flex-col divide-y">
              {items.map((collection) => {
                const isIn = having.data?.items.some(({ id }) => id === collection.id) ?? false;
                return (
                  <li key={collection.id} className="flex min-h-10 items-center gap-3 text-13">
                    <Link
                      href={`/collections/${collection.slug}`}
                      className="min-w-0 flex-1 truncate font-medium hover:underline"
                    >
                      {collection.title}
                    </Link>
                    <Button
                      size="sm"
                      pending={change.isPending && change.variables.collection.id === collection.id}
                      aria-label={`${isIn ? "Take out of" : "Add to"} ${collection.title}`}
                      onClick={() => change.mutate({ collection, isIn })}
                    >
                      {isIn ? "Take out" : "Add"}
                    </Button>
                  </li>
                );
              })}
            </ul>
          )}
        </QueryState>
      </DialogContent>
    </Dialog>
  );
}

function useChange(skill: Skill) {
  const queries = useQueryClient();
  const { toast } = useToast();
  return useMutation({
    mutationFn: ({ collection, isIn }: { collection: Pick<CollectionSummary, "id" | "slug">; isIn: boolean }) =>
      isIn ? removeFromCollection(collection.slug, skill.id) : addToCollection(collection.slug, skill.id),
    onSettled: () => queries.invalidateQueries({ queryKey: collectionsKey }),
    onError: (error) =>
      toast({ tone: "danger", title: "The collection stays as it was.", description: errorText(error) }),
  });
}
