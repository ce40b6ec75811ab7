"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { displayName } from "@/components/skills/skill-words";
import { errorText } from "@/components/state/describe-error";
import { useToast } from "@/components/ui/toast";
import {
  type Collection,
  collectionQuery,
  collectionsKey,
  orderCollection,
  removeFromCollection,
} from "@/lib/client/collections";

type Item = Collection["skills"][number];

/** Changes the order at once and tells the server after; when it refuses, the order is again what the server says. */
export function useCollectionOrder({ slug, skills }: Collection) {
  const queries = useQueryClient();
  const { toast } = useToast();
  const [said, setSaid] = useState("");
  const { queryKey } = collectionQuery(slug);
  const onError = (error: Error) =>
    toast({ tone: "danger", title: "The collection stays as it was.", description: errorText(error) });
  const put = useMutation({
    // One after the other, so that the last order is the one that stays.
    scope: { id: `order ${slug}` },
    mutationFn: (items: Item[]) =>
      orderCollection(
        slug,
        items.map(({ id }) => id),
      ),
    onMutate: (items) => queries.setQueryData(queryKey, (known) => known && { ...known, skills: items }),
    onSettled: () => queries.invalidateQueries({ queryKey }),
    onError,
  });
  const remove = useMutation({
    mutationFn: (item: Item) => removeFromCollection(slug, item.id),
    onSettled: () => queries.invalidateQueries({ queryKey: collectionsKey }),
    onError,
  });
  const order = (items: Item[], moved: Item | undefined, to: number) => {
    if (moved) setSaid(`${displayName(moved)} is now number ${to + 1} of ${items.length}.`);
    put.mutate(items);
  };
  return { skills, order, remove: remove.mutate, said };
}
