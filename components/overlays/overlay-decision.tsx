"use client";

import { useState } from "react";
import { FormError } from "@/components/forms/form-error";
import { useAction } from "@/components/forms/use-action";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Textarea } from "@/components/ui/textarea";
import type { SkillOverlay } from "@/lib/agent/overlays/schema";
import { decideOverlay, overlaysKey } from "@/lib/client/overlays";

type Decision = "approve" | "reject" | "withdraw";

export function OverlayDecision({ overlay }: { overlay: SkillOverlay }) {
  const { you, state, id } = overlay;
  const [comment, setComment] = useState("");
  const decide = useAction((decision: Decision) => decideOverlay(id, { decision, comment }), {
    refresh: [overlaysKey],
  });
  if (state === "pending" && you.whyNot && !you.mayWithdraw) {
    return <p className="text-13 text-muted-foreground">{you.whyNot}</p>;
  }
  if (!you.mayDecide && !you.mayWithdraw) return null;
  return (
    <div className="flex flex-col gap-2 border-t pt-3">
      {you.whyNot ? <p className="text-13 text-muted-foreground">{you.whyNot}</p> : null}
      {you.mayDecide ? (
        <Field label="Comment" optional>
          <Textarea rows={2} maxLength={2000} value={comment} onChange={({ target }) => setComment(target.value)} />
        </Field>
      ) : null}
      <FormError error={decide.error} />
      <div className="flex flex-wrap gap-2">
        {you.mayDecide ? (
          <>
            <Button variant="primary" pending={decide.isPending} onClick={() => decide.mutate("approve")}>
              Approve overlay
            </Button>
            <Button className="text-danger" pending={decide.isPending} onClick={() => decide.mutate("reject")}>
              Reject overlay
            </Button>
          </>
        ) : null}
        {you.mayWithdraw ? (
          <Button pending={decide.isPending} onClick={() => decide.mutate("withdraw")}>
            Withdraw overlay
          </Button>
        ) : null}
      </div>
    </div>
  );
}
