"use client";

import { useQuery } from "@tanstack/react-query";
import { Flag } from "lucide-react";
import Link from "next/link";
import { RevealedText } from "@/components/code/hidden-notice";
import { FormDialog, SelectField, TextareaField } from "@/components/forms/form";
import { useApiForm } from "@/components/forms/use-api-form";
import { ListSection } from "@/components/lists/list-section";
import { reportReasonLabels, reportResolutionLabels } from "@/components/skills/skill-labels";

import { useUrlState } from "@/components/state/use-url-params";
import { Button } from "@/components/ui/button";
import { Digest } from "@/components/ui/digest";
import { RelativeTime } from "@/components/ui/relative-time";
import { SegmentedControl } from "@/components/ui/segmented-control";
import { closeReport, reportsKey, reportsQuery } from "@/lib/client/skill-marks";
import type { Report, ReportResolution } from "@/lib/skills/community/schema";

const resolutions = Object.entries(reportResolutionLabels).map(([value, label]) => ({ value, label }));

const states = [
  { value: "open", label: "Open" },
  { value: "closed", label: "Closed" },
] as const;

export function ReportSection() {
  const [value, setValue] = useUrlState("state", "open");
  const state = value === "closed" ? "closed" : "open";
  return (
    <ListSection
      title="Reports"
      description="Problems that people reported with skills. Closing a report records its outcome; it does not change the skill."
      actions={<SegmentedControl label="State" value={state} onValueChange={setValue} options={states} />}
      query={useQuery(reportsQuery(state))}
      skeletonRows={3}
      errorTitle="The reports could not be loaded."
      empty={{
        icon: Flag,
        title: state === "open" ? "No open reports" : "No closed reports",
        description: "People can report a skill from its menu.",
      }}
      dialog={(report: Report | null, close) => (report ? <CloseReport report={report} onDone={close} /> : null)}
    >
      {(reports, close) => (
        <ul className="flex flex-col divide-y border-y">
          {reports.map((report) => (
            <ReportItem key={report.id} report={report} onClose={() => close(report)} />
          ))}
        </ul>
      )}
    </ListSection>
  );
}

function ReportItem({ report, onClose }: { report: Report; onClose: () => void }) {
  const { skill, closed } = report;
  const name = skill.label ?? skill.name;
  return (
    <li className="flex flex-col gap-1.5 py-3 text-13">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        {skill.exists ? (
          <Link href={`/skills/${skill.id}`} title={skill.name} className="font-medium hover:underline">
            {name}
          </Link>
        ) : (
          <span className="font-medium">{skill.name} (deleted)</span>
        )}
        {report.versionDigest ? <Digest value={report.versionDigest} label="digest of the reported version" /> : null}
        <span>{reportReasonLabels[report.reason]}</span>
        <span className="text-muted-foreground">
          {report.reporter.name}, <RelativeTime value={report.createdAt} />
        </span>
        {closed ? null : (
          <Button size="sm" className="ml-auto" onClick={onClose} aria-label={`Close the report of ${name}`}>
            Close
          </Button>
        )}
      </div>
      <p className="max-w-prose whitespace-pre-line [overflow-wrap:anywhere]">
        <RevealedText text={report.text} />
      </p>
      {closed ? (
        <p className="text-muted-foreground">
          {reportResolutionLabels[closed.resolution]}, closed by {closed.by.name} <RelativeTime value={closed.at} />
          {closed.note ? `: ${closed.note}` : "."}
        </p>
      ) : null}
    </li>
  );
}

function CloseReport({ report, onDone }: { report: Report; onDone: () => void }) {
  const form = useApiForm({
    values: { resolution: "no_action" as ReportResolution, note: "" },
    body: ({ resolution, note }) => ({ resolution, ...(note.trim() === "" ? {} : { note }) }),
    schema: async () => (await import("@/lib/skills/community/schema")).CloseReportInput,
    send: (input) => closeReport(report.id, input),
    refresh: [reportsKey],
    onDone,
  });
  return (
    <FormDialog
      form={form}
      title={`Close the report of ${report.skill.label ?? report.skill.name}`}
      description="The report stays in the list of closed reports and in the audit log."
      action="Close report"
    >
      <SelectField form={form} name="resolution" label="Outcome" options={resolutions} />
      <TextareaField form={form} name="note" label="Note" optional rows={3} maxLength={2000} />
    </FormDialog>
  );
}
