"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useState } from "react";
import { useAction } from "@/components/forms/use-action";
import { List } from "@/components/lists/list-section";
import { displayName } from "@/components/skills/skill-labels";
import { Button } from "@/components/ui/button";
import { Dialog, DialogClose, DialogContent } from "@/components/ui/dialog";
import { addToCollection, collectionsKey, collectionsQuery, removeFromCollection } from "@/lib/client/collections";
import type { CollectionSummary } from "@/lib/skills/community/schema";
import type { Skill } from "@/lib/skills/schema";
import { CollectionForm } from "./collection-form";

type AddToCollectionDialogProps = { skill: Skill; onOpenChange: (open: boolean) => void };

export function AddToCollectionDialog({ skill, onOpenChange }: AddToCollectionDialogProps) {
  const [isCreating, setCreating] = useState(false);
  const all = useQuery(collectionsQuery({ mine: true }));
  const having = useQuery(collectionsQuery({ mine: true, skill: skill.id }));
  const change = useAction(
    ({ collection, isIn }: { collection: Pick<CollectionSummary, "id" | "slug">; isIn: boolean }) =>
      isIn ? removeFromCollection(collection.slug, skill.id) : addToCollection(collection.slug, skill.id),
    { refresh: [collectionsKey], failed: "The collection was not changed." },
  );
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
        <List
          query={all}
          skeletonRows={3}
          errorTitle="Your collections could not be loaded."
          empty={<p className="text-13 text-muted-foreground">You have no collections yet.</p>}
        >
          {(items) => (
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
                      aria-label={`${isIn ? "Remove from" : "Add to"} ${collection.title}`}
                      onClick={() => change.mutate({ collection, isIn })}
                    >
                      {isIn ? "Remove" : "Add"}
                    </Button>
                  </li>
                );
              })}
            </ul>
          )}
        </List>
      </DialogContent>
    </Dialog>
  );
}
