"use client";

import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { QueryState } from "@/components/state/query-state";
import { Section } from "@/components/ui/section";
import { Skeleton } from "@/components/ui/skeleton";
import { approvalQuery } from "@/lib/client/approvals";
import type { ApprovalItem, Run } from "@/lib/runner/schema";
import { ApprovalFacts, ApprovalSigning, SignatureList } from "./approval-facts";
import type { DecisionOutcome } from "./decision-box";
import { DecisionBox } from "./decision-box";
import { OutcomeNotice } from "./decision-outcome";

/** On a run's own page: the pending approval, afterwards the decisions. */
export function RunApproval({ run }: { run: Run }) {
  const [outcome, setOutcome] = useState<DecisionOutcome | null>(null);
  const { approval } = run;
  if (!approval) return null;
  return (
    <>
      {outcome ? <OutcomeNotice runId={run.id} outcome={outcome} linked={false} /> : null}
      {run.state === "awaiting_approval" ? (
        <PendingApproval run={run} onOutcome={setOutcome} />
      ) : approval.by.length > 0 ? (
        <Section title="Decisions" className="gap-2 rounded-md border px-4 py-3">
          <SignatureList decisions={approval.by} />
        </Section>
      ) : null}
    </>
  );
}

function PendingApproval({ run, onOutcome }: { run: Run; onOutcome: (outcome: DecisionOutcome) => void }) {
  const query = useQuery(approvalQuery(run.id));
  return (
    <Section title="Approval" className="gap-4 rounded-md border px-4 py-3">
      <QueryState query={query} loading={<Skeleton className="h-40" />} errorTitle="The approval could not be loaded.">
        {(item) => (item ? <PendingDecision item={item} onOutcome={onOutcome} /> : null)}
      </QueryState>
    </Section>
  );
}

function PendingDecision({ item, onOutcome }: { item: ApprovalItem; onOutcome: (outcome: DecisionOutcome) => void }) {
  const commentRef = useRef<HTMLTextAreaElement>(null);
  return (
    <>
      <ApprovalFacts item={item} />
      <ApprovalSigning item={item} />
      <div className="border-t pt-3">
        <DecisionBox item={item} onOutcome={onOutcome} commentRef={commentRef} />
      </div>
    </>
  );
}
