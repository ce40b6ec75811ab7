"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ArrowDown, ArrowUp, GripVertical, X } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import { RevealedText } from "@/components/code/hidden-notice";

import { useAction } from "@/components/forms/use-action";
import { displayName, skillHref } from "@/components/skills/skill-labels";
import { PublisherLink } from "@/components/skills/status-badges";

import { errorText } from "@/components/state/describe-error";
import { Badge } from "@/components/ui/badge";
import { ClassChip } from "@/components/ui/class-chip";
import { cn } from "@/components/ui/cn";
import { IconButton } from "@/components/ui/icon-button";
import { useToast } from "@/components/ui/toast";
import { collectionQuery, collectionsKey, orderCollection, removeFromCollection } from "@/lib/client/collections";
import type { Collection } from "@/lib/skills/community/schema";

/** The skills in order. Editors can reorder them by dragging or with the arrow buttons. */
export function CollectionSkills({ collection }: { collection: Collection }) {
  const { skills, order, remove, announcement } = useCollectionOrder(collection);
  const [dragged, setDragged] = useState<number | null>(null);
  const [over, setOver] = useState<number | null>(null);
  const move = (from: number, to: number) => order(moveItem(skills, from, to), skills[from], to);
  const drop = () => {
    if (dragged !== null && over !== null && dragged !== over) move(dragged, over);
    setDragged(null);
    setOver(null);
  };
  return (
    <div className="min-w-0">
      <p role="status" className="sr-only">
        {announcement}
      </p>
      <ol className="flex flex-col divide-y border-y">
        {skills.map((skill, index) => (
          <li
            key={skill.id}
            draggable={collection.editable}
            onDragStart={() => setDragged(index)}
            onDragOver={(event) => {
              event.preventDefault();
              setOver(index);
            }}
            onDragEnd={drop}
            className={cn("flex items-center gap-3 py-2", dragged !== null && over === index && "bg-selected")}
          >
            {collection.editable ? (
              <GripVertical aria-hidden className="size-4 shrink-0 cursor-grab text-muted-foreground max-sm:hidden" />
            ) : null}
            <span className="min-w-0 flex-1">
              <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
                <Link href={skillHref(skill)} className="truncate font-medium hover:underline">
                  <RevealedText text={displayName(skill)} />
                </Link>
                <ClassChip value={skill.class} proposed={skill.digest === null} />
                {skill.deprecated ? <Badge tone="warning">Deprecated</Badge> : null}
                {skill.digest === null ? <Badge title="Clients do not receive it">Not approved</Badge> : null}
                {skill.digest !== null && !skill.enabled ? <Badge title="Clients do not receive it">Off</Badge> : null}
              </span>
              <span className="block truncate text-13 text-muted-foreground" title={skill.description}>
                <RevealedText text={skill.description} />
              </span>
              <PublisherLink publisher={skill.publisher} className="text-muted-foreground text-xs" />
            </span>
            {collection.editable ? (
              <span className="flex shrink-0 items-center">
                <IconButton
                  label={`Move ${displayName(skill)} up`}
                  size="sm"
                  disabled={index === 0}
                  onClick={() => move(index, index - 1)}
                >
                  <ArrowUp aria-hidden />
                </IconButton>
                <IconButton
                  label={`Move ${displayName(skill)} down`}
                  size="sm"
                  disabled={index === skills.length - 1}
                  onClick={() => move(index, index + 1)}
                >
                  <ArrowDown aria-hidden />
                </IconButton>
                <IconButton label={`Remove ${displayName(skill)}`} size="sm" onClick={() => remove(skill)}>
                  <X aria-hidden />
                </IconButton>
              </span>
            ) : null}
          </li>
        ))}
      </ol>
    </div>
  );
}

type Item = Collection["skills"][number];

/** Optimistic reordering: an error restores the server's order. */
function useCollectionOrder({ slug, skills }: Collection) {
  const queries = useQueryClient();
  const { toast } = useToast();
  const [announcement, setAnnouncement] = useState("");
  const { queryKey } = collectionQuery(slug);
  const put = useMutation({
    // One request at a time, so that the last order wins.
    scope: { id: `order ${slug}` },
    mutationFn: (items: Item[]) =>
      orderCollection(
        slug,
        items.map(({ id }) => id),
      ),
    onMutate: (items) => queries.setQueryData(queryKey, (known) => known && { ...known, skills: items }),
    onSettled: () => queries.invalidateQueries({ queryKey }),
    onError: (error) =>
      toast({ tone: "danger", title: "The collection was not changed.", description: errorText(error) }),
  });
  const remove = useAction((item: Item) => removeFromCollection(slug, item.id), {
    refresh: [collectionsKey],
    failed: "The collection was not changed.",
  });
  const order = (items: Item[], moved: Item | undefined, to: number) => {
    if (moved) setAnnouncement(`${displayName(moved)} is now at position ${to + 1} of ${items.length}.`);
    put.mutate(items);
  };
  return { skills, order, remove: remove.mutate, announcement };
}

/** Moves the item at `from` to `to`; returns the list unchanged when either is out of range. */
export function moveItem<T>(items: readonly T[], from: number, to: number): T[] {
  const moved = [...items];
  if (from < 0 || to < 0 || from >= items.length || to >= items.length) return moved;
  moved.splice(to, 0, ...moved.splice(from, 1));
  return moved;
}
