"use client";

import { FormDialog, SelectField, TextareaField, TextField } from "@/components/forms/form";
import { useApiForm } from "@/components/forms/use-api-form";
import { collectionsKey, createCollection, patchCollection } from "@/lib/client/collections";
import type { Collection, CollectionSummary } from "@/lib/skills/community/schema";

const visibilities = [
  { value: "private", label: "Private: you and admins" },
  { value: "public", label: "Public: everyone" },
] as const;

type CollectionFormProps = {
  collection?: CollectionSummary;
  onDone: (collection: Collection) => void;
};

export function CollectionForm({ collection, onDone }: CollectionFormProps) {
  const form = useApiForm({
    values: {
      title: collection?.title ?? "",
      description: collection?.description ?? "",
      visibility: collection?.visibility ?? "private",
    },
    schema: async () => (await import("@/lib/skills/community/schema")).CreateCollectionInput,
    send: (input) => (collection ? patchCollection(collection.slug, input) : createCollection(input)),
    refresh: [collectionsKey],
    onDone,
  });
  return (
    <FormDialog
      form={form}
      title={collection ? `Edit ${collection.title}` : "New collection"}
      description="Skills that belong together, with one URL to install them from."
      action={collection ? "Save collection" : "Create collection"}
    >
      <TextField form={form} name="title" label="Title" required maxLength={80} />
      <TextareaField form={form} name="description" label="Description" optional rows={3} maxLength={500} />
      <SelectField
        form={form}
        name="visibility"
        label="Visibility"
        help="Each person sees only those of its skills that they may see."
        options={visibilities}
      />
    </FormDialog>
  );
}
