"use client";

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Sparkles } from "lucide-react";
import { useState } from "react";
import { FormDialog, FormField, TextareaField } from "@/components/forms/form";
import { useAction } from "@/components/forms/use-action";
import { useApiForm } from "@/components/forms/use-api-form";
import { type Column, DataTable, timeColumn } from "@/components/lists/data-table";
import { List } from "@/components/lists/list-section";
import { canManage } from "@/components/skills/skill-labels";
import { errorText } from "@/components/state/describe-error";

import { useMe } from "@/components/state/use-me";
import { useNow } from "@/components/state/use-now";
import { Badge, type Tone } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Digest } from "@/components/ui/digest";
import { EmptyState } from "@/components/ui/empty-state";
import { Field } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { ProgressBar } from "@/components/ui/progress-bar";
import { RelativeTime } from "@/components/ui/relative-time";
import { Section } from "@/components/ui/section";
import { Select } from "@/components/ui/select";
import type { SkillOverlay } from "@/lib/agent/overlays/schema";
import { modelChoicesQuery } from "@/lib/client/models";
import { optimizeSkill, overlaysKey, skillOverlaysQuery, submitOverlay } from "@/lib/client/overlays";
import type { Skill } from "@/lib/skills/schema";
import { outcomeBadges, surfaceLabels } from "../traces/trace-labels";
import { OverlayComparison } from "./overlay-comparison";
import { OverlayDecision } from "./overlay-decision";

type Evidence = SkillOverlay["evidence"];

const percent = (share: number) => `${Math.round(share * 100)} %`;

const stateBadges: Record<SkillOverlay["state"], { label: string; tone: Tone }> = {
  working: { label: "In progress", tone: "accent" },
  pending: { label: "Pending review", tone: "warning" },
  approved: { label: "Approved", tone: "success" },
  rejected: { label: "Rejected", tone: "danger" },
  withdrawn: { label: "Withdrawn", tone: "neutral" },
  replaced: { label: "Replaced", tone: "neutral" },
  failed: { label: "Failed", tone: "danger" },
};

/** Overlays replace the description of a skill for agents after a reviewer approves them. */
export function OverlaySection({ skill }: { skill: Skill }) {
  const query = useInfiniteQuery(skillOverlaysQuery(skill.id));
  const [dialog, setDialog] = useState<"model" | "upload" | null>(null);
  const close = () => setDialog(null);
  const propose = useAction(() => optimizeSkill(skill.id, {}), { refresh: [overlaysKey] });
  const mayPropose = canManage(skill, useMe()) && skill.currentVersion?.state === "approved";
  const actions = mayPropose ? (
    <>
      <Button onClick={() => setDialog("upload")}>Upload</Button>
      <Button onClick={() => setDialog("model")}>Write with a model</Button>
      <Button pending={propose.isPending} onClick={() => propose.mutate()}>
        Propose from past uses
      </Button>
    </>
  ) : null;
  return (
    <Section
      title="Better descriptions"
      description="An overlay is a better description with examples. It changes no file of the skill, and agents see it only after a reviewer approves it."
      actions={actions}
    >
      {propose.error ? (
        <Notice tone="warning" announce title="No proposal was created">
          {errorText(propose.error)}
        </Notice>
      ) : null}
      <List
        query={query}
        errorTitle="The overlays could not be loaded."
        empty={
          <EmptyState
            icon={Sparkles}
            title="No overlays"
            description="After 20 uses, Skillgate can propose one from them. You can also upload one, or have a model write it."
          />
        }
      >
        {(overlays) => (
          <ol className="flex flex-col gap-4">
            {overlays.map((overlay) => (
              <OverlayItem key={overlay.id} overlay={overlay} />
            ))}
          </ol>
        )}
      </List>
      {query.hasNextPage ? (
        <div>
          <Button pending={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Show older overlays
          </Button>
        </div>
      ) : null}
      <Dialog open={dialog !== null} onOpenChange={close}>
        {dialog === "model" ? <ProposeForm skill={skill} onDone={close} /> : null}
        {dialog === "upload" ? <UploadForm skill={skill} onDone={close} /> : null}
      </Dialog>
    </Section>
  );
}

function OverlayItem({ overlay }: { overlay: SkillOverlay }) {
  const { state, isApplied, optimizer, createdBy, createdAt, traceCount, decidedBy, decidedAt, comment } = overlay;
  const { label, tone } = stateBadges[state];
  return (
    <li id={`overlay-${overlay.id}`} className="flex flex-col gap-3 rounded-md border p-4">
      <header className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <h3>By {optimizer}</h3>
        <Badge tone={tone}>{label}</Badge>
        {isApplied ? <Badge tone="success">Shown to agents</Badge> : null}
        <span className="text-13 text-muted-foreground">
          {createdBy}, <RelativeTime value={createdAt} />, from {traceCount} traces, for version
        </span>
        <Digest value={overlay.baseDigest} label="digest of the version" />
      </header>
      {state === "approved" && !isApplied ? (
        <Notice>
          The skill has another active version now, so agents see its own description. Create a new proposal for that
          version.
        </Notice>
      ) : null}
      {state === "failed" ? (
        <Notice tone="danger" title="The optimiser failed">
          {overlay.error}
        </Notice>
      ) : null}
      {state === "working" ? (
        <Working since={createdAt} />
      ) : (
        <OverlayComparison before={overlay.before} after={overlay.after} />
      )}
      <OverlayEvidence evidence={overlay.evidence} />
      {decidedBy && decidedAt ? (
        <p className="text-13 text-muted-foreground">
          {label} by {decidedBy}, <RelativeTime value={decidedAt} />
          {comment ? `: “${comment}”` : ""}
        </p>
      ) : null}
      <OverlayDecision overlay={overlay} />
    </li>
  );
}

/** The server stops the optimiser after this time. */
const MAX_MINUTES = 10;

function Working({ since }: { since: string }) {
  const now = useNow();
  const passed = now === null ? 0 : Math.max(0, (now - Date.parse(since)) / 60_000);
  const left = Math.max(1, Math.ceil(MAX_MINUTES - passed));
  return (
    <div className="flex flex-col gap-2 text-13">
      <ProgressBar label="Optimiser" done={Math.min(passed, MAX_MINUTES)} total={MAX_MINUTES} />
      <p className="text-muted-foreground">
        The model rewrites the description and tries it: at most {left} more {left === 1 ? "minute" : "minutes"}. You
        can leave this page.
      </p>
    </div>
  );
}

/** The label of a stored value; the value itself when the page does not know it. */
function labelIn(labels: Record<string, string | { label: string }>, value: string): string {
  const known = labels[value];
  return typeof known === "object" ? known.label : (known ?? value);
}

const traceColumns: readonly Column<Evidence["traces"][number]>[] = [
  {
    header: "Request",
    cellClassName: "max-w-80 truncate",
    cellTitle: ({ input }) => input,
    cell: ({ chosen, input }) => (
      <>
        {chosen ? <strong className="font-medium">Example: </strong> : null}
        {input || <span className="text-muted-foreground">No request</span>}
      </>
    ),
  },
  { header: "From", muted: true, cell: ({ surface }) => labelIn(surfaceLabels, surface) },
  { header: "Outcome", muted: true, cell: ({ outcome }) => labelIn(outcomeBadges, outcome) },
  { header: "Rating", muted: true, cell: ({ rating }) => (rating > 0 ? "Up" : rating < 0 ? "Down" : "None") },
  timeColumn("When", ({ at }) => at, { cellClassName: "whitespace-nowrap" }),
];

function OverlayEvidence({ evidence }: { evidence: Evidence }) {
  const { traces, ratedUp, ratedDown, failed, score } = evidence;
  const figures = `Evidence: ${ratedUp} rated up, ${ratedDown} rated down, ${failed} failed${
    score ? `; ${score.model} chose correctly in ${percent(score.before)} before and ${percent(score.after)} after` : ""
  }`;
  if (traces.length === 0) {
    const isBare = ratedUp + ratedDown + failed === 0 && score === null;
    return <p className="text-13 text-muted-foreground">{isBare ? "No evidence" : figures}</p>;
  }
  return (
    <details className="text-13">
      <summary className="cursor-pointer rounded-sm">{figures}</summary>
      <div className="pt-2">
        <DataTable
          label="Traces the proposal was made from"
          rows={traces}
          rowId={({ id }) => id}
          columns={traceColumns}
        />
      </div>
    </details>
  );
}

function ProposeForm({ skill, onDone }: { skill: Skill; onDone: () => void }) {
  const choices = useQuery(modelChoicesQuery).data?.items.flatMap(({ id, name, models }) =>
    models.map((model) => ({ value: JSON.stringify([id, model]), label: `${name}: ${model}` })),
  );
  const first = choices?.[0]?.value ?? "";
  const form = useApiForm({
    values: { model: "" },
    send: (values) => {
      const [endpointId, model] = JSON.parse(values.model || first) as [string, string];
      return optimizeSkill(skill.id, { optimizer: "gepa", endpointId, model });
    },
    refresh: [overlaysKey],
    onDone,
  });
  return (
    <FormDialog
      form={form}
      title="Improve with a model"
      description="With GEPA, the model chooses skills by description alone, analyses its errors and rewrites the description. This takes up to ten minutes and several hundred model calls."
      action="Start"
      disabled={first === ""}
    >
      {choices?.length === 0 ? (
        <Notice title="No model endpoint is set">Ask an admin to add one under Settings, Models.</Notice>
      ) : (
        <FormField form={form} name="model" label="Model">
          {(field) => <Select {...field} value={field.value || first} options={choices ?? []} />}
        </FormField>
      )}
    </FormDialog>
  );
}

function UploadForm({ skill, onDone }: { skill: Skill; onDone: () => void }) {
  const form = useApiForm({
    values: { toml: "" },
    send: ({ toml }) => submitOverlay(skill.id, toml),
    refresh: [overlaysKey],
    onDone,
  });
  return (
    <FormDialog
      form={form}
      title="Upload overlay"
      description="An optimized.toml from another optimiser. A reviewer must approve it."
      action="Submit for review"
      disabled={form.watch("toml").trim() === ""}
    >
      <Field label="File" optional>
        <input
          type="file"
          accept=".toml"
          className="text-13"
          onChange={async ({ target }) => form.setValue("toml", (await target.files?.[0]?.text()) ?? "")}
        />
      </Field>
      <TextareaField form={form} name="toml" label="Text" rows={8} spellCheck={false} className="font-mono text-xs" />
    </FormDialog>
  );
}
