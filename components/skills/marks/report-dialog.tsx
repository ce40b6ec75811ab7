"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { FormError } from "@/components/state/form-error";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { FormDialogContent } from "@/components/ui/form-dialog-content";
import { Select } from "@/components/ui/select";
import { Textarea } from "@/components/ui/textarea";
import { useToast } from "@/components/ui/toast";
import { ApiError } from "@/lib/client/api";
import { createReport, type ReportReason } from "@/lib/client/reports";
import type { Skill } from "@/lib/skills/schema";
import { displayName } from "../skill-words";
import { reasonWords } from "./report-words";

const reasons = Object.entries(reasonWords).map(([value, label]) => ({ value, label }));

type ReportDialogProps = { skill: Skill; onOpenChange: (open: boolean) => void };

/** Tells the admins of this server that something is wrong with a skill. */
export function ReportDialog({ skill, onOpenChange }: ReportDialogProps) {
  const { toast } = useToast();
  const [reason, setReason] = useState<ReportReason>("malicious");
  const [text, setText] = useState("");
  const send = useMutation({
    mutationFn: () => createReport(skill.id, { reason, text }),
    onSuccess: () => {
      onOpenChange(false);
      toast({ title: "The admins have your report.", tone: "success" });
    },
  });
  const error = send.error instanceof ApiError ? send.error : null;
  return (
    <Dialog open onOpenChange={onOpenChange}>
      <FormDialogContent
        title={`Report ${displayName(skill)}`}
        description="The admins of this server see it with your name, and nobody outside does. The skill stays as it is until they decide."
        action="Send report"
        pending={send.isPending}
        onSubmit={() => send.mutate()}
      >
        <Field label="What is wrong" error={error?.fieldError("reason")}>
          <Select options={reasons} value={reason} onChange={({ target }) => setReason(target.value as ReportReason)} />
        </Field>
        <Field
          label="What you saw"
          required
          help="Name the file and line if you can."
          error={error?.fieldError("text")}
        >
          <Textarea rows={5} maxLength={2000} value={text} onChange={({ target }) => setText(target.value)} />
        </Field>
        <FormError error={send.error} />
      </FormDialogContent>
    </Dialog>
  );
}
