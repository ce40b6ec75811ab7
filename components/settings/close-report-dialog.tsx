"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { resolutionWords } from "@/components/skills/marks/report-words";
import { FormError } from "@/components/state/form-error";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { FormDialogContent } from "@/components/ui/form-dialog-content";
import { Select } from "@/components/ui/select";
import { Textarea } from "@/components/ui/textarea";
import { closeReport, type Report, type ReportResolution, reportsKey } from "@/lib/client/reports";

const resolutions = Object.entries(resolutionWords).map(([value, label]) => ({ value, label }));

export function CloseReportDialog({ report, onDone }: { report: Report; onDone: () => void }) {
  const queries = useQueryClient();
  const [resolution, setResolution] = useState<ReportResolution>("no_action");
  const [note, setNote] = useState("");
  const close = useMutation({
    mutationFn: () => closeReport(report.id, { resolution, ...(note.trim() === "" ? {} : { note }) }),
    onSuccess: () => {
      onDone();
      return queries.invalidateQueries({ queryKey: reportsKey });
    },
  });
  return (
    <Dialog open onOpenChange={onDone}>
      <FormDialogContent
        title={`Close the report of ${report.skill.name}`}
        description="It stays in the list of closed ones and in the audit trail."
        action="Close report"
        pending={close.isPending}
        onSubmit={() => close.mutate()}
      >
        <Field label="What became of it">
          <Select
            options={resolutions}
            value={resolution}
            onChange={({ target }) => setResolution(target.value as ReportResolution)}
          />
        </Field>
        <Field label="Note" optional>
          <Textarea rows={3} maxLength={2000} value={note} onChange={({ target }) => setNote(target.value)} />
        </Field>
        <FormError error={close.error} />
      </FormDialogContent>
    </Dialog>
  );
}
