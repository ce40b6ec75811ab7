import { type RefObject, useState } from "react";
import { RevealedText } from "@/components/code/hidden-notice";
import { signaturesText } from "@/components/skills/versions/signatures-text";
import { errorText } from "@/components/state/describe-error";
import { useMe } from "@/components/state/use-me";
import { Button } from "@/components/ui/button";
import { skillClasses } from "@/components/ui/class-chip";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { Field } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { Select } from "@/components/ui/select";
import { Textarea } from "@/components/ui/textarea";
import type { Me } from "@/lib/auth/schema";
import { ApiError } from "@/lib/client/api";
import type { SkillClass } from "@/lib/skill-format/schema";
import type { Skill } from "@/lib/skills/schema";
import type { Version } from "@/lib/skills/versions/schema";
import { areCurrentTerms, otherReviewerReason, type Terms } from "./terms";

import { useDecision } from "./use-decision";
import type { Unread } from "./use-review-state";

const OWN_USE = "You can approve this without extra permissions, or ask for review";

type DecisionFormProps = {
  skill: Skill;
  version: Version;
  terms: Terms;
  /** Whether the user edited the grants; only then are they sent. */
  areGrantsChosen: boolean;
  onClass: (chosen: SkillClass) => void;
  /** What the reviewer has not opened; approving then asks once more. */
  unread: readonly Unread[];
  onUnread: (item: Unread) => void;
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
  const { skill, version, terms, areGrantsChosen, onClass, unread, onUnread, commentRef, approveRef, rejectRef } =
    props;
  const me = useMe();
  const [comment, setComment] = useState("");
  const [isCommentMissing, setCommentMissing] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const { mutateAsync, isPending, variables, error } = useDecision(skill, version);
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
    // The form shows the error that it rejects with.
    void send(decision).catch(() => undefined);
  };
  const send = async (decision: "approve" | "request_changes" | "reject") => {
    await mutateAsync({
      decision,
      comment,
      expects: isServing ? "approved" : "pending",
      ...(decision === "approve"
        ? { class: terms.class, entry: terms.entry, ...(areGrantsChosen ? { grants: terms.grants } : {}) }
        : {}),
    });
    props.onCancel?.();
  };
  const isDangerous = terms.class === "dangerous";
  const isDoing = (decision: string) => isPending && variables?.decision === decision;

  return (
    <div className="flex shrink-0 flex-col gap-3 border-t bg-background px-4 py-4">
      {error ? <DecisionError error={error} /> : null}
      <Field label="Class of its runs" help={classReason(version)}>
        <Select
          value={terms.class}
          onChange={(event) => onClass(event.target.value as SkillClass)}
          options={skillClasses.map((value) => ({ value, label: classLabels[value] }))}
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
      {isDangerous && mayApprove ? <Notice tone="danger" title="Runs can destroy or expose data permanently." /> : null}
      {mayApprove ? <UnreadList items={unread} onOpen={onUnread} /> : null}
      <div className="flex flex-wrap gap-1.5">
        {needsOther === null ? (
          <Button
            ref={approveRef}
            variant={isDangerous ? "danger" : "primary"}
            className={isDangerous ? "basis-full" : "flex-1"}
            pending={isDoing("approve")}
            disabled={isPending || !mayApprove}
            onClick={() => (unread.length > 0 ? setAsking(true) : decide("approve"))}
          >
            {isServing
              ? "Approve class and permissions"
              : isDangerous
                ? "Approve dangerous version"
                : "Approve version"}
          </Button>
        ) : null}
        {version.you.mayRefuse && !isServing ? (
          <>
            <Button
              className="px-2.5"
              pending={isDoing("request_changes")}
              disabled={isPending}
              onClick={() => decide("request_changes")}
            >
              Ask for changes
            </Button>
            <Button
              ref={rejectRef}
              className="px-2.5 text-danger"
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
        {approvals.isMine ? "You have approved. Another reviewer must approve too. " : ""}
        {!approvals.isMine && version.you.whyNot ? `${version.you.whyNot} ` : ""}
        {isSame ? "This class and these permissions are approved already. Change one of them first. " : ""}
        {signaturesText(approvals, version.approvals.maySign)}
        {me?.soloMode ? " Solo mode is on: one person may approve their own import. The approval records this." : ""}
      </p>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={unread.length === 1 ? "Approve with 1 file unread?" : `Approve with ${unread.length} files unread?`}
        description="You have not opened these on this page. Your approval covers them too."
        confirmLabel={isDangerous ? "Approve dangerous version anyway" : "Approve anyway"}
        cancelLabel="Go back"
        tone={isDangerous ? "danger" : "primary"}
        onConfirm={() => send("approve")}
      >
        <ul className="flex max-h-48 flex-col gap-1 overflow-y-auto font-mono text-xs">
          {unread.map(({ path, kind }) => (
            <li key={path} className="[overflow-wrap:anywhere]">
              <RevealedText text={path} /> <span className="font-sans text-muted-foreground">{kindTexts[kind]}</span>
            </li>
          ))}
        </ul>
      </ConfirmDialog>
    </div>
  );
}

const kindTexts: Record<Unread["kind"], string> = {
  file: "",
  added: "new",
  changed: "changed",
  removed: "removed",
};

const MAX_NAMED = 4;

/** What was not opened, above the button that approves it. */
function UnreadList({ items, onOpen }: { items: readonly Unread[]; onOpen: (item: Unread) => void }) {
  if (items.length === 0) return null;
  return (
    <div className="text-13">
      <p className="font-medium">Not opened yet</p>
      <ul className="flex flex-wrap gap-x-3 gap-y-0.5">
        {items.slice(0, MAX_NAMED).map((item) => (
          <li key={item.path} className="min-w-0">
            <button
              type="button"
              onClick={() => onOpen(item)}
              className="max-w-full truncate rounded-sm font-mono text-xs underline underline-offset-4"
              title={item.path}
            >
              <RevealedText text={item.path} />
            </button>
          </li>
        ))}
        {items.length > MAX_NAMED ? (
          <li className="text-muted-foreground text-xs">and {items.length - MAX_NAMED} more</li>
        ) : null}
      </ul>
    </div>
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
