"use client";

import { useMutation } from "@tanstack/react-query";
import { ShieldCheck } from "lucide-react";
import { useState } from "react";
import { errorText } from "@/components/state/describe-error";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { type AuditVerification, verifyAudit } from "@/lib/client/audit-chain";
import { describeVerification } from "./describe-verification";

/** Has the server check every event's place in the chain, and says what it found. For reviewers and admins. */
export function VerifyButton() {
  const [progress, setProgress] = useState<AuditVerification | null>(null);
  const verify = useMutation({ mutationFn: () => verifyAudit(setProgress), onSettled: () => setProgress(null) });
  const label = progress === null ? "Verifying …" : `Verifying … ${share(progress)} %`;
  return (
    <div className="flex flex-col gap-2">
      <Button onClick={() => verify.mutate()} disabled={verify.isPending} className="self-start">
        <ShieldCheck aria-hidden className="size-4" />
        {verify.isPending ? label : "Verify"}
      </Button>
      <div aria-live="polite" className="empty:hidden">
        {verify.data && !verify.isPending ? <Verdict found={verify.data} /> : null}
        {verify.isError ? <Notice tone="danger">{errorText(verify.error)}</Notice> : null}
      </div>
    </div>
  );
}

function Verdict({ found }: { found: AuditVerification }) {
  const { title, details } = describeVerification(found);
  return (
    <Notice tone={found.ok ? "success" : "danger"}>
      <p className="font-medium">{title}</p>
      {details.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </Notice>
  );
}

function share({ checked, total }: AuditVerification): number {
  return total === 0 ? 0 : Math.min(99, Math.floor((checked / total) * 100));
}
