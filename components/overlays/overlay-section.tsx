"use client";

import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Sparkles } from "lucide-react";
import { useState } from "react";
import { FormError } from "@/components/forms/form-error";
import { canManage } from "@/components/skills/can-manage";
import { errorText } from "@/components/state/describe-error";
import { QueryState } from "@/components/state/query-state";
import { useMe } from "@/components/state/use-me";
import { Badge, type Tone } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Digest } from "@/components/ui/digest";
import { EmptyState } from "@/components/ui/empty-state";
import { Field } from "@/components/ui/field";
import { FormDialogContent } from "@/components/ui/form-dialog-content";
import { Notice } from "@/components/ui/notice";
import { RelativeTime } from "@/components/ui/relative-time";
import { Section } from "@/components/ui/section";
import { Select } from "@/components/ui/select";
import { Skeleton } from "@/components/ui/skeleton";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";
import { modelChoicesQuery } from "@/lib/client/models";
import { optimizeSkill, overlaysKey, type SkillOverlay, skillOverlaysQuery } from "@/lib/client/overlays";
import type { Skill } from "@/lib/skills/schema";
import { OverlayDecision } from "./overlay-decision";
import { OverlayWords } from "./overlay-labels";
import { UploadDialog } from "./upload-dialog";

type Evidence = SkillOverlay["evidence"];

const percent = (share: number) => `${Math.round(share * 100)} %`;

const LOOKS: Record<SkillOverlay["state"], { label: string; tone: Tone }> = {
  working: { label: "A model works on it", tone: "accent" },
  pending: { label: "Pending review", tone: "warning" },
  approved: { label: "Approved", tone: "success" },
  rejected: { label: "Rejected", tone: "danger" },
  withdrawn: { label: "Withdrawn", tone: "neutral" },
  replaced: { label: "Replaced", tone: "neutral" },
  failed: { label: "Failed", tone: "danger" },
};

/** Other words for a skill, which agents are told in place of its own once a reviewer has approved them. */
export function OverlaySection({ skill }: { skill: Skill }) {
  const query = useInfiniteQuery(skillOverlaysQuery(skill.id));
  const queryClient = useQueryClient();
  const [dialog, setDialog] = useState<"model" | "upload" | null>(null);
  const propose = useMutation({
    mutationFn: () => optimizeSkill(skill.id, {}),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: overlaysKey }),
  });
  const mayPropose = canManage(skill, useMe()) && skill.currentVersion?.state === "approved";
  const actions = mayPropose ? (
    <>
      <Button onClick={() => setDialog("upload")}>Upload overlay</Button>
      <Button onClick={() => setDialog("model")}>Ask a model</Button>
      <Button variant="primary" pending={propose.isPending} onClick={() => propose.mutate()}>
        Propose from traces
      </Button>
    </>
  ) : null;
  return (
    <Section
      title="Overlays"
      description="A better description and examples, out of what happened. They change no byte of the skill, and no agent is told them before a reviewer approves."
      actions={actions}
    >
      {propose.error ? (
        <Notice tone="warning" announce title="Nothing was proposed">
          {errorText(propose.error)}
        </Notice>
      ) : null}
      <QueryState
        query={query}
        errorTitle="The overlays could not be loaded."
        isEmpty={({ pages }) => pages.every((page) => page.items.length === 0)}
        empty={
          <EmptyState
            icon={Sparkles}
            title="No overlay"
            description="After twenty uses, the best of them can become examples, and their requests better words."
          />
        }
      >
        {({ pages }) => (
          <ol className="flex flex-col gap-4">
            {pages
              .flatMap((page) => page.items)
              .map((overlay) => (
                <OverlayItem key={overlay.id} overlay={overlay} />
              ))}
          </ol>
        )}
      </QueryState>
      {query.hasNextPage ? (
        <div>
          <Button pending={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Show older overlays
          </Button>
        </div>
      ) : null}
      <ProposeDialog skill={skill} open={dialog === "model"} onClose={() => setDialog(null)} />
      <UploadDialog skill={skill} open={dialog === "upload"} onClose={() => setDialog(null)} />
    </Section>
  );
}

/** One overlay: before, after, what it rests on, and the decision. */
function OverlayItem({ overlay }: { overlay: SkillOverlay }) {
  const { state, isApplied, optimizer, createdBy, createdAt, traceCount, decidedBy, decidedAt, comment } = overlay;
  const { label, tone } = LOOKS[state];
  return (
    <li id={`overlay-${overlay.id}`} className="flex flex-col gap-3 rounded-md border p-4">
      <header className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <h3>By {optimizer}</h3>
        <Badge tone={tone}>{label}</Badge>
        {isApplied ? <Badge tone="success">agents are told this</Badge> : null}
        <span className="text-13 text-muted-foreground">
          {createdBy}, <RelativeTime value={createdAt} />, from {traceCount} traces, for version
        </span>
        <Digest value={overlay.baseDigest} label="digest of the version" />
      </header>
      {state === "approved" && !isApplied ? (
        <Notice>The skill serves another version now. Agents are told its own words; propose anew for it.</Notice>
      ) : null}
      {state === "failed" ? (
        <Notice tone="danger" title="The optimiser failed">
          {overlay.error}
        </Notice>
      ) : null}
      {state === "working" ? (
        <Skeleton className="h-16" />
      ) : (
        <OverlayWords before={overlay.before} after={overlay.after} />
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

/** What a proposal rests on: figures, and the uses it was made from. */
function OverlayEvidence({ evidence }: { evidence: Evidence }) {
  const { traces, ratedUp, ratedDown, failed, score } = evidence;
  const figures = `Evidence: ${ratedUp} rated up, ${ratedDown} rated down, ${failed} failed${
    score ? `; ${score.model} chose rightly ${percent(score.before)} before and ${percent(score.after)} after` : ""
  }`;
  if (traces.length === 0) {
    const isBare = ratedUp + ratedDown + failed === 0 && score === null;
    return <p className="text-13 text-muted-foreground">{isBare ? "No evidence to show." : figures}</p>;
  }
  return (
    <details className="text-13">
      <summary className="cursor-pointer rounded-sm">{figures}</summary>
      <div className="pt-2">
        <Table label="Traces the proposal was made from">
          <TableHead>
            <tr>
              <TableHeader>Request</TableHeader>
              <TableHeader>From</TableHeader>
              <TableHeader>Outcome</TableHeader>
              <TableHeader>Rating</TableHeader>
              <TableHeader>When</TableHeader>
            </tr>
          </TableHead>
          <TableBody>
            {traces.map((trace) => (
              <TableRow key={trace.id}>
                <TableCell className="max-w-80 truncate" title={trace.input}>
                  {trace.chosen ? <strong className="font-medium">Example: </strong> : null}
                  {trace.input || <span className="text-muted-foreground">Nothing was asked</span>}
                </TableCell>
                <TableCell muted>{trace.surface}</TableCell>
                <TableCell muted>{trace.outcome}</TableCell>
                <TableCell muted>{trace.rating > 0 ? "Up" : trace.rating < 0 ? "Down" : "None"}</TableCell>
                <TableCell muted className="whitespace-nowrap">
                  <RelativeTime value={trace.at} />
                </TableCell>
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </div>
    </details>
  );
}

type ProposeDialogProps = { skill: Skill; open: boolean; onClose: () => void };

/** Chooses the model that looks for better words. */
function ProposeDialog({ skill, open, onClose }: ProposeDialogProps) {
  return (
    <Dialog open={open} onOpenChange={(next) => !next && onClose()}>
      {open ? <ProposeForm skill={skill} onDone={onClose} /> : null}
    </Dialog>
  );
}

function ProposeForm({ skill, onDone }: { skill: Skill; onDone: () => void }) {
  const queryClient = useQueryClient();
  const choices = useQuery(modelChoicesQuery).data?.items.flatMap(({ id, name, models }) =>
    models.map((model) => ({ value: JSON.stringify([id, model]), label: `${name}: ${model}` })),
  );
  const [chosen, setChosen] = useState("");
  const value = chosen || choices?.[0]?.value || "";
  const propose = useMutation({
    mutationFn: () => {
      const [endpointId, model] = JSON.parse(value) as [string, string];
      return optimizeSkill(skill.id, { optimizer: "gepa", endpointId, model });
    },
    onSuccess: () => {
      onDone();
      return queryClient.invalidateQueries({ queryKey: overlaysKey });
    },
  });
  const hasNone = choices?.length === 0;
  return (
    <FormDialogContent
      title="Ask a model for better words"
      description="GEPA has the model choose by the description alone, reflect on where it was wrong, and rewrite. It takes up to ten minutes and some hundred calls."
      action="Start"
      pending={propose.isPending}
      disabled={value === ""}
      onSubmit={() => propose.mutate()}
    >
      {hasNone ? (
        <Notice title="No model endpoint is set">An admin adds one under Settings, Models.</Notice>
      ) : (
        <Field label="Model">
          <Select value={value} onChange={({ target }) => setChosen(target.value)} options={choices ?? []} />
        </Field>
      )}
      <FormError error={propose.error} />
    </FormDialogContent>
  );
}
