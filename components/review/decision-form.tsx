import { type RefObject, useState } from "react";
import { errorText } from "@/components/state/describe-error";
import { useMe } from "@/components/state/use-me";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { Select } from "@/components/ui/select";
import { Textarea } from "@/components/ui/textarea";
import type { Me } from "@/lib/auth/schema";
import { ApiError } from "@/lib/client/api";
import { SkillClass } from "@/lib/skill-format/schema";
import type { Skill } from "@/lib/skills/schema";
import type { Version, VersionFile } from "@/lib/skills/versions/schema";
import { areCurrentTerms, otherReviewerReason, type Terms } from "./finding-labels";

import { useDecision } from "./use-decision";

const OWN_USE = "You can approve this without extra permissions, or ask for review";

type DecisionFormProps = {
  skill: Skill;
  version: Version;
  terms: Terms;
  /** Whether the user edited the grants; only then are they sent. */
  areGrantsChosen: boolean;
  onClass: (chosen: SkillClass) => void;
  unopened: readonly VersionFile[];
  onOpen: (path: string) => void;
  commentRef: RefObject<HTMLTextAreaElement | null>;
  approveRef: RefObject<HTMLButtonElement | null>;
  rejectRef: RefObject<HTMLButtonElement | null>;
  /** Set when the version is approved already and gets other terms. */
  onCancel?: () => void;
};

const classLabels: Record<SkillClass, string> = {
  safe: "Safe: runs only read",
  mutating: "Mutating: runs change something",
  dangerous: "Dangerous: runs may do harm",
};

export function DecisionForm(props: DecisionFormProps) {
  const { skill, version, terms, areGrantsChosen, onClass, unopened, onOpen, commentRef, approveRef, rejectRef } =
    props;
  const me = useMe();
  const [comment, setComment] = useState("");
  const [isCommentMissing, setCommentMissing] = useState(false);
  const { mutate, isPending, variables, error } = useDecision(skill, version);
  const approvals = approvalsOf(version, terms.class, me);
  const isServing = version.state === "approved";
  const isSame = areCurrentTerms(version, terms);
  const needsOther = version.you.forOwnUse ? otherReviewerReason(version, terms) : null;
  const mayApprove = version.you.mayApprove && !approvals.isMine && !isSame && needsOther === null;

  const decide = (decision: "approve" | "request_changes" | "reject") => {
    if (decision !== "approve" && comment.trim() === "") {
      setCommentMissing(true);
      commentRef.current?.focus();
      return;
    }
    setCommentMissing(false);
    mutate(
      {
        decision,
        comment,
        expects: isServing ? "approved" : "pending",
        ...(decision === "approve"
          ? { class: terms.class, entry: terms.entry, ...(areGrantsChosen ? { grants: terms.grants } : {}) }
          : {}),
      },
      { onSuccess: () => props.onCancel?.() },
    );
  };
  const isDoing = (decision: string) => isPending && variables?.decision === decision;

  return (
    <div className="flex shrink-0 flex-col gap-3 border-t bg-background px-4 py-4">
      {error ? <DecisionError error={error} /> : null}
      <Field label="Class of its runs" help={classReason(version)}>
        <Select
          value={terms.class}
          onChange={(event) => onClass(SkillClass.parse(event.target.value))}
          options={SkillClass.options.map((value) => ({ value, label: classLabels[value] }))}
        />
      </Field>
      <Field
        label="Comment"
        error={isCommentMissing ? "Enter what has to change, or the reason for the rejection." : undefined}
      >
        <Textarea
          ref={commentRef}
          rows={2}
          maxLength={4000}
          value={comment}
          onChange={(event) => {
            setComment(event.target.value);
            setCommentMissing(false);
          }}
        />
      </Field>
      {version.you.forOwnUse ? (
        <Notice tone={needsOther === null ? "neutral" : "warning"} title={OWN_USE}>
          <p>
            {needsOther === null
              ? "Your approval is for your own use. Runs then need a worker that isolates them with namespaces."
              : `Another reviewer must approve it, because ${needsOther}. The version is listed under Reviews for them.`}
          </p>
        </Notice>
      ) : null}
      <div className="flex flex-wrap gap-2">
        {needsOther === null ? (
          <Button
            ref={approveRef}
            variant="primary"
            className="flex-1"
            pending={isDoing("approve")}
            disabled={isPending || !mayApprove}
            onClick={() => decide("approve")}
          >
            {isServing ? "Approve class and permissions" : "Approve version"}
          </Button>
        ) : null}
        {version.you.mayRefuse && !isServing ? (
          <>
            <Button pending={isDoing("request_changes")} disabled={isPending} onClick={() => decide("request_changes")}>
              Ask for changes
            </Button>
            <Button
              ref={rejectRef}
              className="text-danger"
              pending={isDoing("reject")}
              disabled={isPending}
              onClick={() => decide("reject")}
            >
              Reject
            </Button>
          </>
        ) : null}
        {props.onCancel ? (
          <Button variant="ghost" disabled={isPending} onClick={props.onCancel}>
            Cancel
          </Button>
        ) : null}
      </div>
      <p className="text-muted-foreground text-xs">
        <Unopened files={unopened} onOpen={onOpen} />
        {approvals.isMine ? "You have approved. Another reviewer must approve too. " : ""}
        {!approvals.isMine && version.you.whyNot ? `${version.you.whyNot} ` : ""}
        {isSame ? "This class and these permissions are approved already. Change one of them first. " : ""}
        {approvals.given} of {approvals.needed} {approvals.needed === 1 ? "approval" : "approvals"}
        {approvals.by.length > 0 ? ` (${approvals.by.join(", ")})` : ""}.
        {me?.soloMode ? " Solo mode is on: one person may approve their own import. The approval records this." : ""}
      </p>
    </div>
  );
}

function Unopened({ files, onOpen }: Pick<DecisionFormProps, "onOpen"> & { files: readonly VersionFile[] }) {
  const [first] = files;
  if (!first) return null;
  return (
    <button
      type="button"
      onClick={() => onOpen(first.path)}
      className="mb-1 block rounded-sm font-medium text-13 text-warning underline underline-offset-2"
    >
      {files.length === 1 ? "1 file not opened yet" : `${files.length} files not opened yet`}
    </button>
  );
}

function DecisionError({ error }: { error: unknown }) {
  const { title, advice } = explainError(error);
  return (
    <Notice tone="danger" announce title={title}>
      <p>{errorText(error)}</p>
      {advice ? <p className="text-muted-foreground">{advice}</p> : null}
    </Notice>
  );
}

function explainError(error: unknown): { title: string; advice: string } {
  const code = error instanceof ApiError ? error.code : "";
  switch (code) {
    case "separation_of_duties":
      return {
        title: "Another reviewer has to decide",
        advice: "Ask another reviewer. The version stays in the queue.",
      };
    case "conflict":
      return {
        title: "The version changed meanwhile",
        advice: "This page now shows its current state. Check it again before you decide.",
      };
    case "forbidden":
      return { title: "You may not decide on this version", advice: "" };
    default:
      return { title: "The decision was not recorded", advice: "" };
  }
}

/**
 * The approvals of the open round and how many are needed. An approved version without an open round has none, since its
 * approvals cover other terms. Choosing dangerous requires a second person unless solo mode is on.
 */
export function approvalsOf(
  { approvals, state }: Pick<Version, "approvals" | "state">,
  chosen: SkillClass,
  me: Me | undefined,
) {
  const more = chosen === "dangerous" && me?.soloMode === false ? 2 : 1;
  const round = state === "approved" && approvals.terms === null ? [] : approvals.by;
  return {
    given: round.length,
    needed: Math.max(approvals.needed, more),
    by: round.map(({ name }) => name),
    isMine: round.some(({ id }) => id === me?.user.id),
  };
}

export function classReason({
  proposedClass,
  proposedClassReason,
}: Pick<Version, "proposedClass" | "proposedClassReason">): string {
  return `Proposed ${proposedClass}: ${proposedClassReason}.`;
}
