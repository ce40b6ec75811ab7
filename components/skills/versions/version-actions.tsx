import { useState } from "react";
import { useAction } from "@/components/forms/use-action";
import { useSkillSwitch } from "@/components/skills/skill-switch";
import { useMe } from "@/components/state/use-me";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { Field } from "@/components/ui/field";
import { Textarea } from "@/components/ui/textarea";
import { useToast } from "@/components/ui/toast";
import { decisionKeys } from "@/lib/client/reviews";
import { activateVersion, submitVersion } from "@/lib/client/versions";
import type { Skill } from "@/lib/skills/schema";
import type { Version, VersionSummary } from "@/lib/skills/versions/schema";
import { canManage, displayName } from "../skill-labels";

type MakeActiveProps = {
  skill: Skill;
  version: Version;
  size?: "sm";
  /** Whether the message offers to switch the skill on; not where the page does. */
  offersSwitch?: boolean;
};

/** Activates an approved version after confirmation; hidden when the user may not activate it. */
export function MakeActive({ skill, version, size, offersSwitch = true }: MakeActiveProps) {
  const [open, setOpen] = useState(false);
  const [comment, setComment] = useState("");
  const activation = useActivation(skill, version, offersSwitch);
  if (!version.you.mayActivate) return null;
  const before = skill.currentVersion;
  return (
    <>
      <Button {...(size ? { size } : {})} onClick={() => setOpen(true)}>
        Activate version
      </Button>
      <ConfirmDialog
        open={open}
        onOpenChange={setOpen}
        title={`Activate version ${version.number} of ${displayName(skill)}?`}
        description={
          before
            ? `It immediately replaces version ${before.number} for runs, schedules, agents and downloads. Version ${before.number} stays approved.`
            : "The skill has no active version now. It stays switched off until you switch it on."
        }
        confirmLabel="Activate version"
        onConfirm={() => activation({ comment, expects: before?.digest ?? null })}
      >
        <Field label="Comment" optional>
          <Textarea rows={2} maxLength={4000} value={comment} onChange={(event) => setComment(event.target.value)} />
        </Field>
      </ConfirmDialog>
    </>
  );
}

function useActivation(skill: Skill, version: Version, offersSwitch: boolean) {
  const me = useMe();
  const { toast } = useToast();
  const change = useSkillSwitch();
  return useAction(
    (activation: Parameters<typeof activateVersion>[2]) => activateVersion(skill.id, version.digest, activation),
    {
      refresh: decisionKeys,
      onDone: (now) =>
        toast({
          title: `Version ${version.number} of ${displayName(skill)} is active.`,
          tone: "success",
          ...(offersSwitch && !now.enabled && canManage(now, me)
            ? { action: { label: "Switch on", onClick: () => change({ skill: now, enabled: true }) } }
            : {}),
        }),
    },
  ).mutateAsync;
}

export function SubmitDraft({ skill, version }: { skill: Skill; version: VersionSummary }) {
  const me = useMe();
  const { mutate, isPending } = useAction(() => submitVersion(skill.id, version.digest), {
    refresh: decisionKeys,
    done: `Version ${version.number} submitted for review.`,
    failed: `Version ${version.number} was not submitted.`,
  });
  const canSubmit = version.state === "draft" || version.state === "changes_requested";
  if (!canSubmit || !canManage(skill, me)) return null;
  return (
    <div>
      <Button size="sm" pending={isPending} onClick={() => mutate()}>
        {version.state === "draft" ? "Submit for review" : "Submit again"}
      </Button>
    </div>
  );
}
