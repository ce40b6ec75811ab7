import { useQueryClient } from "@tanstack/react-query";
import { Undo2 } from "lucide-react";
import { useState } from "react";
import { SeverityIcon } from "@/components/code/diagnostic-list";
import { RevealedText } from "@/components/code/hidden-notice";
import { useAction } from "@/components/forms/use-action";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { RelativeTime } from "@/components/ui/relative-time";
import { Textarea } from "@/components/ui/textarea";
import { dismissFinding, reopenFinding, reviewsKey } from "@/lib/client/reviews";
import { versionQuery } from "@/lib/client/versions";
import type { DismissFindingInput } from "@/lib/review/schema";
import type { Version, VersionFinding } from "@/lib/skills/versions/schema";
import { findingSeverities, isSentence, viewLabel } from "./finding-labels";

type FindingItemProps = {
  skillId: string;
  digest: string;
  finding: VersionFinding;
  you: Pick<Version["you"], "mayDismiss" | "mayReopen">;
  isActive: boolean;
  onJump: () => void;
};

export function FindingItem({ skillId, digest, finding, you, isActive, onJump }: FindingItemProps) {
  const { severity, word } = findingSeverities[finding.severity];
  const [isAsking, setAsking] = useState(false);
  const { dismiss, reopen } = useDismissal(skillId, digest, finding.fingerprint);
  const view = viewLabel(finding.view);
  return (
    <li
      data-finding={finding.fingerprint}
      data-active={isActive || undefined}
      className={cn("rounded-sm px-2 py-1.5 text-13 data-active:bg-selected", finding.dismissed && "opacity-80")}
    >
      <button
        type="button"
        onClick={onJump}
        className="flex w-full items-start gap-2 rounded-sm text-left hover:bg-accent"
      >
        <SeverityIcon severity={severity} className="mt-0.5" />
        <span className="min-w-0 [overflow-wrap:anywhere]">
          <span className={finding.dismissed ? "line-through" : "font-medium"}>
            {isSentence(finding) ? <RevealedText text={finding.text} /> : finding.why}
          </span>
          {isSentence(finding) ? (
            <span className="mt-0.5 block text-xs">{finding.why}</span>
          ) : (
            <code className="mt-0.5 block font-mono text-xs">
              <RevealedText text={finding.text} />
            </code>
          )}
          <span className="block text-muted-foreground text-xs">
            {word} · <code>{finding.rule}</code> ·{" "}
            <span className="font-mono">
              <RevealedText text={finding.path} />:{finding.line}
            </span>
            {view ? ` · ${view}` : ""}
            {finding.more > 0 ? ` · and ${finding.more} more` : ""}
            {finding.raisedBy ? ` · severity raised by ${finding.raisedBy}` : ""}
          </span>
        </span>
      </button>
      <div className="mt-1 flex flex-wrap items-center gap-1.5 pl-6">
        {finding.isNew ? <Badge tone="warning">Found after approval</Badge> : null}
        {finding.dismissed ? (
          <p className="text-muted-foreground text-xs">
            {finding.dismissed.acceptedUntil === null ? "Dismissed" : "Known and accepted"} by{" "}
            {finding.dismissed.by.name} <RelativeTime value={finding.dismissed.at} />
            {finding.dismissed.acceptedUntil === null
              ? ""
              : ` for this skill, until ${finding.dismissed.acceptedUntil.slice(0, 10)}`}
            : “
            <RevealedText text={finding.dismissed.reason} />”
          </p>
        ) : finding.dismissedBefore ? (
          <p className="text-muted-foreground text-xs">
            {finding.dismissedBefore.digest === digest ? "Dismissed before" : "Dismissed in another version"} by{" "}
            {finding.dismissedBefore.by.name}: “
            <RevealedText text={finding.dismissedBefore.reason} />”
          </p>
        ) : null}
        {you.mayReopen && finding.dismissed ? (
          <Button size="sm" variant="ghost" pending={reopen.isPending} onClick={() => reopen.mutate()}>
            <Undo2 aria-hidden />
            Reopen
          </Button>
        ) : null}
        {you.mayDismiss && !finding.dismissed && !isAsking ? (
          <Button size="sm" variant="ghost" onClick={() => setAsking(true)}>
            Dismiss
          </Button>
        ) : null}
      </div>
      {isAsking ? (
        <DismissForm
          error={dismiss.error?.message}
          isPending={dismiss.isPending}
          onCancel={() => setAsking(false)}
          onSend={(input) => dismiss.mutate(input, { onSuccess: () => setAsking(false) })}
        />
      ) : null}
    </li>
  );
}

type DismissFormProps = {
  error: string | undefined;
  isPending: boolean;
  onCancel: () => void;
  onSend: (input: DismissFindingInput) => void;
};

function DismissForm({ error, isPending, onCancel, onSend }: DismissFormProps) {
  const [reason, setReason] = useState("");
  const [until, setUntil] = useState("");
  const isTooShort = reason.trim().length < 3;
  return (
    <form
      className="mt-1 flex flex-col gap-2 pl-6"
      onSubmit={(event) => {
        event.preventDefault();
        if (isTooShort) return;
        const end = until === "" ? {} : { until: new Date(`${until}T23:59:59Z`).toISOString() };
        onSend({ reason: reason.trim(), ...end });
      }}
    >
      <Field
        label="Reason for dismissing"
        error={error}
        help="Recorded with your name. The finding stays in the record."
      >
        <Textarea
          rows={2}
          maxLength={2000}
          value={reason}
          autoFocus
          onChange={(event) => setReason(event.target.value)}
        />
      </Field>
      <Field
        label="Accept for later versions until"
        help="Leave empty to dismiss it in this version only. An accepted finding is open again when its lines change."
      >
        <Input type="date" value={until} onChange={(event) => setUntil(event.target.value)} />
      </Field>
      <div className="flex gap-2">
        <Button type="submit" size="sm" pending={isPending} disabled={isTooShort}>
          Dismiss finding
        </Button>
        <Button size="sm" variant="ghost" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

function useDismissal(skillId: string, digest: string, fingerprint: string) {
  const queryClient = useQueryClient();
  const options = {
    refresh: [reviewsKey],
    onDone: (version: Version) => queryClient.setQueryData(versionQuery(skillId, digest).queryKey, version),
  };
  return {
    dismiss: useAction((input: DismissFindingInput) => dismissFinding(skillId, digest, fingerprint, input), options),
    reopen: useAction(() => reopenFinding(skillId, digest, fingerprint), options),
  };
}
