"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type RefObject, useId, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Kbd } from "@/components/ui/kbd";
import { Notice } from "@/components/ui/notice";
import { Textarea } from "@/components/ui/textarea";
import { approvalsKey, decideRun, type RunDecision } from "@/lib/client/approvals";
import { meQuery } from "@/lib/client/me";
import { runQuery } from "@/lib/client/runs";
import type { ApprovalItem, Run } from "@/lib/runner/schema";

type DecisionBoxProps = {
  item: ApprovalItem;
  onOutcome: (outcome: DecisionOutcome) => void;
  approveRef?: RefObject<HTMLButtonElement | null>;
  commentRef: RefObject<HTMLTextAreaElement | null>;
  withKeys?: boolean;
};

/** The comment and the decision buttons, or the reason why this user may not decide. */
export function DecisionBox({ item, onOutcome, approveRef, commentRef, withKeys = false }: DecisionBoxProps) {
  const hintId = useId();
  const [comment, setComment] = useState("");
  const [isCommentMissing, setCommentMissing] = useState(false);
  const { decide: send, doing } = useRunDecision(item.id, onOutcome);
  const isDangerous = item.class === "dangerous";
  if (!item.you.maySign) return <p className="text-13 text-muted-foreground">{item.you.whyNot}</p>;

  const decide = (decision: RunDecision["decision"]) => {
    if (decision === "reject" && comment.trim() === "") {
      setCommentMissing(true);
      commentRef.current?.focus();
      return;
    }
    setCommentMissing(false);
    send({ decision, comment });
  };
  return (
    <div className="flex flex-col gap-3">
      <Field
        label="Comment"
        help={isCommentMissing ? null : "Recorded in the audit log. Required to reject; the requester sees it."}
        error={isCommentMissing ? "Enter a reason for the rejection." : undefined}
      >
        <Textarea
          ref={commentRef}
          rows={2}
          maxLength={4000}
          value={comment}
          onChange={({ target }) => {
            setComment(target.value);
            setCommentMissing(false);
          }}
        />
      </Field>
      {isDangerous ? (
        <Notice tone="danger" title={item.classMeaning}>
          <p>Check the arguments: the run cannot be undone.</p>
        </Notice>
      ) : null}
      <div className="flex flex-wrap items-center gap-2">
        <Button
          ref={approveRef}
          variant={isDangerous ? "danger" : "primary"}
          pending={doing === "approve"}
          disabled={doing === "reject"}
          aria-describedby={hintId}
          onClick={() => decide("approve")}
        >
          {isDangerous ? "Approve dangerous run" : "Approve run"}
        </Button>
        <Button
          className="text-danger"
          pending={doing === "reject"}
          disabled={doing === "approve"}
          onClick={() => decide("reject")}
        >
          Reject run
        </Button>
      </div>
      <p id={hintId} className="text-muted-foreground text-xs">
        {item.approval.needed - item.approval.given > 1
          ? "The run starts after the last required approval. One rejection ends it."
          : "Approval starts the run immediately, with exactly these arguments."}
      </p>
      {withKeys ? (
        <p aria-hidden className="flex items-center gap-1.5 text-muted-foreground text-xs max-md:hidden">
          <Kbd keys="a" /> approve <Kbd keys="x" className="ml-1.5" /> reject <Kbd keys="j" className="ml-1.5" />
          <Kbd keys="k" /> move
        </p>
      ) : null}
    </div>
  );
}

export type DecisionOutcome =
  | { kind: "decided"; decision: RunDecision["decision"]; run: Run }
  | { kind: "refused"; error: Error };

/** Sends a decision once, also on a double click, and refetches lists and counts afterwards. */
function useRunDecision(runId: string, onOutcome: (outcome: DecisionOutcome) => void) {
  const queries = useQueryClient();
  // A ref, since the mutation's own state updates only after the second click of a double click.
  const isSent = useRef(false);
  const { mutate, isPending, variables } = useMutation({
    mutationFn: (decision: RunDecision) => decideRun(runId, decision),
    onSuccess: (run, { decision }) => {
      queries.setQueryData(runQuery(runId).queryKey, run);
      onOutcome({ kind: "decided", decision, run });
    },
    onError: (error) => {
      isSent.current = false;
      onOutcome({ kind: "refused", error });
    },
    onSettled: () => {
      for (const queryKey of [approvalsKey, meQuery.queryKey, ["runs"]]) void queries.invalidateQueries({ queryKey });
    },
  });
  const decide = (decision: RunDecision) => {
    if (isSent.current) return;
    isSent.current = true;
    mutate(decision);
  };
  return { decide, doing: isPending ? variables.decision : null };
}
