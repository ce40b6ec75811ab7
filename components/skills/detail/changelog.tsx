"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { RevealedText } from "@/components/code/revealed-text";
import { FormError } from "@/components/state/form-error";
import { useMe } from "@/components/state/use-me";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { FormDialogContent } from "@/components/ui/form-dialog-content";
import { Textarea } from "@/components/ui/textarea";
import { setChangelog } from "@/lib/client/skill-marks";
import { skillsKey } from "@/lib/client/skills";
import type { Skill, VersionSummary } from "@/lib/skills/schema";
import { canManage } from "../can-manage";

const undecided: readonly VersionSummary["state"][] = ["draft", "pending", "changes_requested"];

type ChangelogProps = { skill: Skill; version: VersionSummary };

/** What is new in a version, which those who keep the skill say until it is decided on. */
export function Changelog({ skill, version }: ChangelogProps) {
  const me = useMe();
  const [isEditing, setEditing] = useState(false);
  const mayWrite = undecided.includes(version.state) && canManage(skill, me);
  if (version.changelog === null && !mayWrite) return null;
  return (
    <div className="flex flex-col items-start gap-1">
      {version.changelog === null ? null : (
        <p className="max-w-prose whitespace-pre-line text-13 [overflow-wrap:anywhere]">
          <RevealedText text={version.changelog} />
        </p>
      )}
      {mayWrite ? (
        <Button size="sm" variant="ghost" className="-ml-2" onClick={() => setEditing(true)}>
          {version.changelog === null ? "Write what is new" : "Edit what is new"}
        </Button>
      ) : null}
      {isEditing ? <ChangelogDialog skill={skill} version={version} onDone={() => setEditing(false)} /> : null}
    </div>
  );
}

function ChangelogDialog({ skill, version, onDone }: ChangelogProps & { onDone: () => void }) {
  const queries = useQueryClient();
  const [text, setText] = useState(version.changelog ?? "");
  const save = useMutation({
    mutationFn: () => setChangelog(skill.id, version.digest, text),
    onSuccess: () => {
      onDone();
      return queries.invalidateQueries({ queryKey: skillsKey });
    },
  });
  return (
    <Dialog open onOpenChange={onDone}>
      <FormDialogContent
        title={`What is new in version ${version.number}`}
        description="Reviewers read it now, and everybody who updates afterwards."
        action="Save"
        pending={save.isPending}
        onSubmit={() => save.mutate()}
      >
        <Field label="Changelog" help="Plain text. It cannot be changed once the version is decided on.">
          <Textarea rows={6} maxLength={4000} value={text} onChange={({ target }) => setText(target.value)} />
        </Field>
        <FormError error={save.error} />
      </FormDialogContent>
    </Dialog>
  );
}
