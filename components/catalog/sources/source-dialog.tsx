import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { RevealedText } from "@/components/code/hidden-notice";
import { FormError } from "@/components/forms/form-error";
import { useAction } from "@/components/forms/use-action";

import { errorText } from "@/components/state/describe-error";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Digest } from "@/components/ui/digest";
import { Field } from "@/components/ui/field";
import { FormDialogContent } from "@/components/ui/form-dialog-content";
import { formatBytes } from "@/components/ui/format-bytes";
import { Input } from "@/components/ui/input";
import { Notice } from "@/components/ui/notice";
import { Select } from "@/components/ui/select";
import type {
  CatalogSource,
  CredentialInput,
  SourceKind,
  SourcePreview,
  UpdateSourceInput,
} from "@/lib/catalog/sources/schema";
import { ApiError } from "@/lib/client/api";
import { addSource, previewSource, setSourceCredential, updateSource } from "@/lib/client/catalog";
import { readSourceText } from "@/lib/skill-format/source-text";
import { countOf } from "../../skills/skill-labels";
import { folderLabel } from "../catalog-labels";
import { credentialOf, HostFields, isOnGitHub } from "./host-fields";
import { SkippedList } from "./skipped-list";
import { intervalOptions, sourceKeys } from "./source-actions";

type SourceDialogProps = {
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
    kind: (source === null || source.kind === "github" ? "" : source.kind) as SourceKind | "",
    username: "",
    secret: "",
  };
}

function SourceForm({ source, onClose, onAdded }: Omit<SourceDialogProps, "open">) {
  const [draft, setDraft] = useState(() => draftOf(source));
  const preview = useMutation({ mutationFn: previewSource });
  const set = (patch: Partial<typeof draft>) => {
    setDraft((before) => ({ ...before, ...patch }));
    // The preview is of the former address.
    if (["repoUrl", "ref", "folder", "kind", "username", "secret"].some((name) => name in patch)) preview.reset();
  };
  const label = draft.label === "" ? labelFromUrl(draft.repoUrl) : draft.label;
  const input = {
    repoUrl: draft.repoUrl,
    ref: draft.ref.trim() || null,
    folder: draft.folder.trim() || null,
    ...(draft.kind === "" ? {} : { kind: draft.kind }),
  };
  const credential = credentialOf(draft);
  const withCredential = credential === null ? {} : { credential };

  const save = useAction(
    () => {
      const all = { ...input, label, intervalMinutes: draft.intervalMinutes };
      return source
        ? saveSource(source.id, all, credential)
        : addSource({ ...all, ...withCredential, enabled: true, sync: true });
    },
    { refresh: sourceKeys, onDone: (saved) => (source ? onClose() : onAdded(saved)) },
  );
  const failure = save.error instanceof ApiError ? save.error : null;

  return (
    <FormDialogContent
      title={source ? `Edit ${source.label}` : "Add source"}
      description="Adding a source installs nothing: people choose skills from it, and reviewers approve them."
      action={source ? "Save source" : "Add source"}
      pending={save.isPending}
      onSubmit={() => save.mutate()}
      className="flex flex-col gap-4"
    >
      <Field
        label="Repository or registry"
        required
        help="A repository on GitHub, or the address of any git repository: https://… or git@host:group/repository.git. Also the page of a folder, or the address of a registry."
        error={
          failure && draft.repoUrl.trim() === ""
            ? "Enter a repository, e.g. anthropics/skills."
            : failure?.fieldError("repoUrl")
        }
      >
        <Input
          value={draft.repoUrl}
          placeholder="owner/repository or https://…"
          autoComplete="off"
          spellCheck={false}
          maxLength={500}
          onChange={({ target }) => set({ repoUrl: target.value, ...(source && { kind: "" }) })}
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
        <Field label="Folder" optional error={failure?.fieldError("folder")}>
          <Input
            value={draft.folder}
            placeholder="All folders"
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
        <Field label="Sync interval" error={failure?.fieldError("intervalMinutes")}>
          <Select
            value={String(draft.intervalMinutes)}
            options={intervalOptions(draft.intervalMinutes)}
            onChange={({ target }) => set({ intervalMinutes: Number(target.value) })}
          />
        </Field>
      </div>
      {isOnGitHub(draft) ? null : (
        <HostFields
          draft={draft}
          onChange={set}
          hasCredential={source?.hasCredential === true}
          errorOf={(field) => failure?.fieldError(field)}
        />
      )}
      {source && isMoved(source, input) ? (
        <Notice tone="warning">
          Saving makes this another source: its current skills leave the catalog until the new address is synced.
          Installed skills stay.
        </Notice>
      ) : null}
      <FormError error={save.error} />
      <section aria-label="Preview" className="flex flex-col gap-3 rounded-md border p-3">
        <div className="flex items-center justify-between gap-3">
          <p className="text-13 text-muted-foreground">Preview its skills before you save. Nothing is stored.</p>
          <Button
            size="sm"
            pending={preview.isPending}
            disabled={draft.repoUrl.trim() === ""}
            onClick={() => preview.mutate({ ...input, ...withCredential })}
          >
            Preview
          </Button>
        </div>
        <div aria-live="polite" className="empty:hidden">
          {preview.error ? (
            <Notice tone="danger" title="The source could not be read">
              {previewProblem(preview.error)}
            </Notice>
          ) : null}
          {preview.data ? <SourcePreviewView preview={preview.data} /> : null}
        </div>
      </section>
    </FormDialogContent>
  );
}

/** The new credential is stored last: a change of the host removes the former one. */
async function saveSource(
  id: string,
  patch: UpdateSourceInput,
  credential: CredentialInput | null,
): Promise<CatalogSource> {
  const saved = await updateSource({ id, patch });
  if (credential !== null) await setSourceCredential(id, credential);
  return saved;
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

function SourcePreviewView({ preview }: { preview: SourcePreview }) {
  const { owner, repo, ref, commit, total, skills, skipped, declares, truncated, isPrivate, requests, skippedCount } =
    preview;
  return (
    <div className="flex flex-col gap-3 text-13">
      <p className="flex flex-wrap items-center justify-between gap-x-3">
        <span>
          <span className="font-medium">{countOf(total, "skill")}</span> in{" "}
          <RevealedText text={`${owner}/${repo}@${ref}`} className="[overflow-wrap:anywhere]" />{" "}
          <Digest value={commit} label="commit" className="mx-0" />{" "}
          {isPrivate ? <Badge tone="warning">Private</Badge> : null}
        </span>
        <span className="text-muted-foreground text-xs">{countOf(requests, "request")}</span>
      </p>
      {truncated ? (
        <p className="text-muted-foreground">
          The host cut off the list of files. A sync walks the folders and may find more skills.
        </p>
      ) : null}
      {skills.length > 0 ? (
        <ul
          aria-label="Skills found"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard
          tabIndex={0}
          className="max-h-52 divide-y overflow-y-auto rounded-md border focus-visible:outline-offset-0"
        >
          {skills.map((skill) => (
            <li key={skill.folder} className="flex items-center gap-2 px-2.5 py-1">
              <span className="min-w-0 flex-1 truncate" title={folderLabel(skill.folder)}>
                <RevealedText text={skill.name} className="font-medium" />{" "}
                <RevealedText text={skill.folder} className="text-muted-foreground text-xs" />
              </span>
              {skill.hasScripts ? <span className="shrink-0 text-warning text-xs">scripts</span> : null}
              <span className="shrink-0 text-muted-foreground text-xs tabular-nums">
                {countOf(skill.files, "file")}
                {skill.bytes > 0 ? `, ${formatBytes(skill.bytes)}` : null}
              </span>
            </li>
          ))}
        </ul>
      ) : null}
      {total > skills.length ? (
        <p className="text-muted-foreground text-xs">Only the first {skills.length} are listed.</p>
      ) : null}
      {declares.length > 0 ? (
        <p className="text-muted-foreground">
          Declares packs or an index: <RevealedText text={declares.join(", ")} className="font-mono text-xs" />
        </p>
      ) : null}
      {skipped.length > 0 ? (
        <details>
          <summary className="w-fit cursor-default text-muted-foreground hover:text-foreground">
            {countOf(skippedCount, "folder")} would be skipped
          </summary>
          <div className="mt-2 max-h-48 overflow-y-auto">
            <SkippedList skipped={skipped} />
          </div>
        </details>
      ) : null}
    </div>
  );
}

/** "owner/repository" from a typed address; empty while the address is incomplete. */
export function labelFromUrl(text: string): string {
  const { repoUrl } = readSourceText(text, "https://github.com");
  const [, path = ""] = /^(?:(?:https?|ssh):\/\/[^/\s]+\/|[^/\s:]+@[^/\s:]+:)([^\s?#]+)/.exec(repoUrl) ?? [];
  const [place = ""] = path.split(/\/(?:-\/)?(?:tree|blob|src)\//);
  const [owner, repo] = place.split("/").filter(Boolean).slice(-2);
  return owner && repo ? `${owner}/${repo.replace(/\.git$/, "")}`.slice(0, 80) : "";
}
