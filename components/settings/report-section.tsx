"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Flag } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import { RevealedText } from "@/components/code/revealed-text";
import { FormError } from "@/components/forms/form-error";
import { reasonWords, resolutionWords } from "@/components/skills/marks/report-labels";
import { QueryState } from "@/components/state/query-state";
import { useUrlState } from "@/components/state/use-url-params";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Digest } from "@/components/ui/digest";
import { EmptyState } from "@/components/ui/empty-state";
import { Field } from "@/components/ui/field";
import { FormDialogContent } from "@/components/ui/form-dialog-content";
import { RelativeTime } from "@/components/ui/relative-time";
import { Section } from "@/components/ui/section";
import { SegmentedControl } from "@/components/ui/segmented-control";
import { Select } from "@/components/ui/select";
import { Textarea } from "@/components/ui/textarea";
import { closeReport, type Report, type ReportResolution, reportsKey, reportsQuery } from "@/lib/client/reports";

const resolutions = Object.entries(resolutionWords).map(([value, label]) => ({ value, label }));

const states = [
  { value: "open", label: "Open" },
  { value: "closed", label: "Closed" },
] as const;

/** What people reported, for admins. */
export function ReportSection() {
  const [value, setValue] = useUrlState("state", "open");
  const state = value === "closed" ? "closed" : "open";
  const query = useQuery(reportsQuery(state));
  const [closing, setClosing] = useState<Report | null>(null);
  return (
    <Section
      title="Reports"
      description="What people say is wrong with a skill. Closing one says what became of it and changes nothing by itself."
      actions={<SegmentedControl label="State" value={state} onValueChange={setValue} options={states} />}
    >
      <QueryState
        query={query}
        skeletonRows={3}
        errorTitle="The reports could not be loaded."
        isEmpty={(page) => page.items.length === 0}
        empty={
          <EmptyState
            icon={Flag}
            title={state === "open" ? "No open report" : "No closed report"}
            description="People report a skill from its menu."
          />
        }
      >
        {(page) => (
          <ul className="flex flex-col divide-y border-y">
            {page.items.map((report) => (
              <ReportItem key={report.id} report={report} onClose={() => setClosing(report)} />
            ))}
          </ul>
        )}
      </QueryState>
      {closing ? <CloseReportDialog report={closing} onDone={() => setClosing(null)} /> : null}
    </Section>
  );
}

function ReportItem({ report, onClose }: { report: Report; onClose: () => void }) {
  const { skill, closed } = report;
  return (
    <li className="flex flex-col gap-1.5 py-3 text-13">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        {skill.exists ? (
          <Link href={`/skills/${skill.id}`} className="font-medium hover:underline">
            {skill.name}
          </Link>
        ) : (
          <span className="font-medium">{skill.name}, deleted since</span>
        )}
        {report.versionDigest ? <Digest value={report.versionDigest} label="digest of the version it served" /> : null}
        <span>{reasonWords[report.reason]}</span>
        <span className="text-muted-foreground">
          {report.reporter.name}, <RelativeTime value={report.createdAt} />
        </span>
        {closed ? null : (
          <Button size="sm" className="ml-auto" onClick={onClose} aria-label={`Close the report of ${skill.name}`}>
            Close
          </Button>
        )}
      </div>
      <p className="max-w-prose whitespace-pre-line [overflow-wrap:anywhere]">
        <RevealedText text={report.text} />
      </p>
      {closed ? (
        <p className="text-muted-foreground">
          {resolutionWords[closed.resolution]}, says {closed.by.name}, <RelativeTime value={closed.at} />
          {closed.note ? `: ${closed.note}` : "."}
        </p>
      ) : null}
    </li>
  );
}

function CloseReportDialog({ report, onDone }: { report: Report; onDone: () => void }) {
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
