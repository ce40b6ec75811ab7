"use client";

import Link from "next/link";
import type { RefObject } from "react";
import { RevealedText } from "@/components/code/hidden-notice";
import { displayName, skillHref } from "@/components/skills/skill-labels";
import { Digest } from "@/components/ui/digest";
import { RelativeTime } from "@/components/ui/relative-time";
import type { ApprovalItem } from "@/lib/runner/schema";
import { ApprovalFacts, ApprovalSigning } from "./approval-facts";
import { BackLink } from "./back-link";
import { DecisionBox, type DecisionOutcome } from "./decision-box";
import { OutcomeNotice, ViewRun } from "./decision-outcome";
import { Expiry } from "./expiry";

type ApprovalDetailProps = {
  item: ApprovalItem;
  outcome: DecisionOutcome | undefined;
  onOutcome: (outcome: DecisionOutcome) => void;
  approveRef: RefObject<HTMLButtonElement | null>;
  commentRef: RefObject<HTMLTextAreaElement | null>;
  backHref: string;
};

export function ApprovalDetail({ item, outcome, onOutcome, backHref, ...refs }: ApprovalDetailProps) {
  const name = displayName(item.skill);
  return (
    <article aria-label={`Run of ${name}`} className="flex min-w-0 max-w-5xl flex-col gap-5">
      <header className="flex flex-col gap-1">
        <BackLink href={backHref} />
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h2 className="min-w-0 break-words text-base">
            <Link href={skillHref(item.skill)} className="hover:underline">
              <RevealedText text={name} />
            </Link>
          </h2>
          <span className="text-13 text-muted-foreground">
            version {item.versionNumber} <Digest value={item.versionDigest} label="version digest" />
          </span>
          <span className="ml-auto">
            <ViewRun runId={item.id} />
          </span>
        </div>
        <p className="text-13 text-muted-foreground">
          <RevealedText text={item.skill.description} />
        </p>
        <p className="text-13 text-muted-foreground">
          Requested <RelativeTime value={item.approval.requestedAt} />, <Expiry at={item.approval.expiresAt} />
        </p>
      </header>
      <div className="grid items-start gap-x-6 gap-y-5 xl:grid-cols-[minmax(0,1fr)_17rem]">
        <div className="flex min-w-0 flex-col gap-5">
          <ApprovalFacts item={item} />
        </div>
        <div className="flex min-w-0 flex-col gap-5 xl:sticky xl:top-[calc(var(--topbar-height)+1rem)] xl:rounded-md xl:border xl:px-4 xl:py-3">
          <ApprovalSigning item={item} />
          <div className="flex flex-col gap-3 border-t pt-4">
            {outcome ? <OutcomeNotice runId={item.id} outcome={outcome} /> : null}
            {outcome?.kind === "decided" || isConflict(outcome) ? null : (
              <DecisionBox item={item} onOutcome={onOutcome} {...refs} withKeys />
            )}
          </div>
        </div>
      </div>
    </article>
  );
}

function isConflict(outcome: DecisionOutcome | undefined): boolean {
  return outcome?.kind === "refused" && "code" in outcome.error && outcome.error.code === "conflict";
}
