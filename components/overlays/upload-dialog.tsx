"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { FormError } from "@/components/forms/form-error";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { FormDialogContent } from "@/components/ui/form-dialog-content";
import { Textarea } from "@/components/ui/textarea";
import { ApiError } from "@/lib/client/api";
import { overlaysKey, submitOverlay } from "@/lib/client/overlays";
import type { Skill } from "@/lib/skills/schema";

type UploadDialogProps = { skill: Skill; open: boolean; onClose: () => void };

/** Takes an `optimized.toml` that was made elsewhere, as a file or pasted. */
export function UploadDialog({ skill, open, onClose }: UploadDialogProps) {
  return (
    <Dialog open={open} onOpenChange={(next) => !next && onClose()}>
      {open ? <UploadForm skill={skill} onDone={onClose} /> : null}
    </Dialog>
  );
}

function UploadForm({ skill, onDone }: { skill: Skill; onDone: () => void }) {
  const queryClient = useQueryClient();
  const [toml, setToml] = useState("");
  const submit = useMutation({
    mutationFn: () => submitOverlay(skill.id, toml),
    onSuccess: () => {
      onDone();
      return queryClient.invalidateQueries({ queryKey: overlaysKey });
    },
  });
  const error = submit.error instanceof ApiError ? submit.error : null;
  return (
    <FormDialogContent
      title="Upload an overlay"
      description="An optimized.toml, as an optimiser elsewhere wrote it. It waits for a reviewer."
      action="Submit for review"
      pending={submit.isPending}
      disabled={toml.trim() === ""}
      onSubmit={() => submit.mutate()}
    >
      <Field label="File" optional>
        <input
          type="file"
          accept=".toml"
          className="text-13"
          onChange={async ({ target }) => setToml((await target.files?.[0]?.text()) ?? "")}
        />
      </Field>
      <Field label="Text" error={error?.fieldError("toml")}>
        <Textarea
          rows={8}
          spellCheck={false}
          className="font-mono text-xs"
          value={toml}
          onChange={({ target }) => setToml(target.value)}
        />
      </Field>
      <FormError error={error?.fieldError("toml") ? null : submit.error} />
    </FormDialogContent>
  );
}
