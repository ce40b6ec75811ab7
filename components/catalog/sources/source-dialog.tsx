"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { errorText } from "@/components/state/describe-error";
import { FormError } from "@/components/state/form-error";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { FormDialogContent } from "@/components/ui/form-dialog-content";
import { Input } from "@/components/ui/input";
import { Notice } from "@/components/ui/notice";
import { Select } from "@/components/ui/select";
import type { CatalogSource } from "@/lib/catalog/sources/schema";
import { ApiError } from "@/lib/client/api";
import { addSource, previewSource, updateSource } from "@/lib/client/catalog-sources";
import { labelFromUrl } from "./label-from-url";
import { SourcePreviewView } from "./source-preview-view";
import { intervalOptions } from "./source-words";
import { refreshSources } from "./use-source-actions";

type SourceDialogProps = {
  /** The one to edit; null for a new one. */
  source: CatalogSource | null;
  open: boolean;
  onClose: () => void;
  onAdded: (source: CatalogSource) => void;
};

export function SourceDialog({ source, open, onClose, onAdded }: SourceDialogProps) {
  return (
    <Dialog open={open} onOpenChange={(next) => !next && onClose()}>
      {open ? <SourceForm key={source?.id ?? ""} source={source} onClose={onClose} onAdded={onAdded} /> : null}
    </Dialog>
  );
}

function draftOf(source: CatalogSource | null) {
  return {
    repoUrl: source?.repoUrl ?? "",
    ref: source?.ref ?? "",
    folder: source?.folder ?? "",
    label: source?.label ?? "",
    intervalMinutes: source?.intervalMinutes ?? 360,
  };
}

function SourceForm({ source, onClose, onAdded }: Omit<SourceDialogProps, "open">) {
  const queryClient = useQueryClient();
  const [draft, setDraft] = useState(() => draftOf(source));
  const preview = useMutation({ mutationFn: previewSource });
  const set = (patch: Partial<typeof draft>) => {
    setDraft((before) => ({ ...before, ...patch }));
    // What was found is of another place then.
    if ("repoUrl" in patch || "ref" in patch || "folder" in patch) preview.reset();
  };
  const label = draft.label === "" ? labelFromUrl(draft.repoUrl) : draft.label;
  const input = { repoUrl: draft.repoUrl, ref: draft.ref.trim() || null, folder: draft.folder.trim() || null };

  const save = useMutation({
    mutationFn: () => {
      const all = { ...input, label, intervalMinutes: draft.intervalMinutes };
      return source ? updateSource({ id: source.id, patch: all }) : addSource({ ...all, enabled: true, sync: true });
    },
    onSuccess: (saved) => {
      void refreshSources(queryClient);
      if (source) onClose();
      else onAdded(saved);
    },
  });
  const failure = save.error instanceof ApiError ? save.error : null;

  return (
    <FormDialogContent
      title={source ? `Edit ${source.label}` : "Add source"}
      description="Nothing of it is installed by adding it: people choose, and reviewers approve."
      action={source ? "Save source" : "Add source"}
      pending={save.isPending}
      onSubmit={() => save.mutate()}
      className="flex flex-col gap-4"
    >
      <Field label="Repository" required error={failure?.fieldError("repoUrl")}>
        <Input
          value={draft.repoUrl}
          placeholder="https://github.com/owner/repository"
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          maxLength={500}
          onChange={({ target }) => set({ repoUrl: target.value })}
        />
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Branch, tag or commit" optional error={failure?.fieldError("ref")}>
          <Input
            value={draft.ref}
            placeholder="Default branch"
            autoComplete="off"
            spellCheck={false}
            maxLength={200}
            onChange={({ target }) => set({ ref: target.value })}
          />
        </Field>
        <Field label="Only this folder" optional error={failure?.fieldError("folder")}>
          <Input
            value={draft.folder}
            placeholder="Everything"
            autoComplete="off"
            spellCheck={false}
            maxLength={500}
            onChange={({ target }) => set({ folder: target.value })}
          />
        </Field>
        <Field label="Label" required error={failure?.fieldError("label")}>
          <Input
            value={label}
            autoComplete="off"
            maxLength={80}
            onChange={({ target }) => set({ label: target.value })}
          />
        </Field>
        <Field label="Sync" error={failure?.fieldError("intervalMinutes")}>
          <Select
            value={String(draft.intervalMinutes)}
            options={intervalOptions(draft.intervalMinutes)}
            onChange={({ target }) => set({ intervalMinutes: Number(target.value) })}
          />
        </Field>
      </div>
      {source && isMoved(source, input) ? (
        <Notice tone="warning">
          This makes it another source: what it shows now leaves the catalog until the first sync of the new place. What
          is installed stays as it is.
        </Notice>
      ) : null}
      <FormError error={save.error} />
      <section aria-label="What would be found" className="flex flex-col gap-3 rounded-md border p-3">
        <div className="flex items-center justify-between gap-3">
          <p className="text-13 text-muted-foreground">Look at what it holds first. Nothing is stored.</p>
          <Button
            size="sm"
            pending={preview.isPending}
            disabled={draft.repoUrl.trim() === ""}
            onClick={() => preview.mutate(input)}
          >
            Preview
          </Button>
        </div>
        <div aria-live="polite" className="empty:hidden">
          {preview.error ? (
            <Notice tone="danger" title="It cannot be read">
              {previewProblem(preview.error)}
            </Notice>
          ) : null}
          {preview.data ? <SourcePreviewView preview={preview.data} /> : null}
        </div>
      </section>
    </FormDialogContent>
  );
}

function isMoved(
  source: CatalogSource,
  input: { repoUrl: string; ref: string | null; folder: string | null },
): boolean {
  return input.repoUrl.trim() !== source.repoUrl || input.ref !== source.ref || input.folder !== source.folder;
}

function previewProblem(error: Error): string {
  const field = error instanceof ApiError ? error.errors[0]?.message : undefined;
  return field ?? errorText(error);
}
