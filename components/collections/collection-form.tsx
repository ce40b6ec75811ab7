"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { FormError } from "@/components/forms/form-error";
import { Field } from "@/components/ui/field";
import { FormDialogContent } from "@/components/ui/form-dialog-content";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { Textarea } from "@/components/ui/textarea";
import { ApiError } from "@/lib/client/api";
import {
  type Collection,
  type CollectionSummary,
  collectionsKey,
  createCollection,
  patchCollection,
} from "@/lib/client/collections";

const visibilities = [
  { value: "private", label: "Only I and admins" },
  { value: "public", label: "Everybody" },
] as const;

type CollectionFormProps = {
  /** Left out, a new one is made. */
  collection?: CollectionSummary;
  onDone: (collection: Collection) => void;
};

export function CollectionForm({ collection, onDone }: CollectionFormProps) {
  const queries = useQueryClient();
  const [title, setTitle] = useState(collection?.title ?? "");
  const [description, setDescription] = useState(collection?.description ?? "");
  const [visibility, setVisibility] = useState(collection?.visibility ?? "private");
  const save = useMutation({
    mutationFn: () => {
      const input = { title, description, visibility };
      return collection ? patchCollection(collection.slug, input) : createCollection(input);
    },
    onSuccess: (saved) => {
      onDone(saved);
      return queries.invalidateQueries({ queryKey: collectionsKey });
    },
  });
  const error = save.error instanceof ApiError ? save.error : null;
  return (
    <FormDialogContent
      title={collection ? `Edit ${collection.title}` : "New collection"}
      description="Skills that belong together, under one address that others install from."
      action={collection ? "Save" : "Create collection"}
      pending={save.isPending}
      onSubmit={() => save.mutate()}
    >
      <Field label="Title" required error={error?.fieldError("title")}>
        <Input value={title} maxLength={80} autoComplete="off" onChange={({ target }) => setTitle(target.value)} />
      </Field>
      <Field label="Description" optional error={error?.fieldError("description")}>
        <Textarea
          rows={3}
          maxLength={500}
          value={description}
          onChange={({ target }) => setDescription(target.value)}
        />
      </Field>
      <Field
        label="Who sees it"
        help="Whoever sees it sees those of its skills that they may see anyway."
        error={error?.fieldError("visibility")}
      >
        <Select
          options={visibilities}
          value={visibility}
          onChange={({ target }) => setVisibility(target.value === "public" ? "public" : "private")}
        />
      </Field>
      <FormError error={save.error} />
    </FormDialogContent>
  );
}
