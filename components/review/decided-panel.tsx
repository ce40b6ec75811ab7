import Link from "next/link";
import { useState } from "react";
import { actionHref, canManage, skillHref } from "@/components/skills/skill-labels";
import { useSkillSwitch } from "@/components/skills/skill-switch";
import { DecisionList } from "@/components/skills/versions/decision-list";
import { MakeActive, SubmitDraft } from "@/components/skills/versions/version-actions";
import { useMe } from "@/components/state/use-me";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { Textarea } from "@/components/ui/textarea";
import type { Skill } from "@/lib/skills/schema";
import type { Version } from "@/lib/skills/versions/schema";
import { useDecision } from "./use-decision";

const states: Record<Exclude<Version["state"], "pending">, string> = {
  draft: "This version is a draft. Submit it for review to get a decision.",
  approved: "This version is approved.",
  changes_requested: "Changes were requested.",
  rejected: "This version was rejected. The same files cannot be imported again.",
  revoked: "The approval was revoked. This version is no longer available.",
};

type DecidedProps = { skill: Skill; version: Version; onChangeTerms: () => void };

export function DecidedPanel({ skill, version, onChangeTerms }: DecidedProps) {
  const me = useMe();
  const change = useSkillSwitch();
  if (version.state === "pending") return null;
  // The skill is read again after a decision; the version knows at once.
  const isActive = version.active || skill.currentVersion?.digest === version.digest;
  const isToSwitchOn = isActive && !skill.enabled && canManage(skill, me);
  const isToRun = isActive && skill.enabled && skill.runnable && skill.userInvocable;
  return (
    <div className="flex shrink-0 flex-col gap-3 border-t px-4 py-4">
      <LastDecision version={version} />
      <p className="text-13" role="status">
        {states[version.state]} {isActive ? (skill.enabled ? "The skill is on." : "The skill is switched off.") : ""}
        {version.state === "approved" && !isActive ? "This version is not active." : ""}
      </p>
      {version.you.whyNotActivate === null ? null : (
        <p className="text-13 text-muted-foreground">You cannot activate this version. {version.you.whyNotActivate}</p>
      )}
      <div className="flex flex-wrap gap-2">
        {isToSwitchOn ? (
          <Button variant="primary" onClick={() => change({ skill, enabled: true })}>
            Switch on
          </Button>
        ) : null}
        {isToRun ? (
          <Button asChild>
            <Link href={actionHref(skill)}>Run</Link>
          </Button>
        ) : null}
        <Button asChild variant={isToSwitchOn ? "ghost" : "secondary"}>
          <Link href="/reviews">Reviews</Link>
        </Button>
        <Button asChild variant={isToSwitchOn ? "ghost" : "secondary"}>
          <Link href={skillHref(skill)}>Open skill</Link>
        </Button>
        {version.state === "approved" && version.you.mayApprove ? (
          <Button onClick={onChangeTerms}>Change class or permissions</Button>
        ) : null}
        <MakeActive skill={skill} version={version} offersSwitch={false} />
        {version.you.mayRevoke ? <Revoke skill={skill} version={version} /> : null}
      </div>
      <SubmitDraft skill={skill} version={version} />
    </div>
  );
}

/** Who decided, when, and why: the newest decision that gave the version its state. */
function LastDecision({ version: { decisions } }: { version: Version }) {
  const last = decisions.filter(({ decision }) => decision !== "activate").at(-1);
  return last ? <DecisionList decisions={[last]} /> : null;
}

function Revoke({ skill, version }: { skill: Skill; version: Version }) {
  const [open, setOpen] = useState(false);
  const [comment, setComment] = useState("");
  const [next, setNext] = useState("");
  const { mutateAsync } = useDecision(skill, version);
  const isReplaced = version.active && next !== "";
  return (
    <>
      <Button className="text-danger" onClick={() => setOpen(true)}>
        Revoke
      </Button>
      <ConfirmDialog
        open={open}
        onOpenChange={setOpen}
        title={`Revoke version ${version.number}?`}
        description={`From now on, no agent gets this version and no run uses it. ${
          isReplaced
            ? "The version you selected becomes active."
            : version.active
              ? "The skill then has no active version and is switched off."
              : "The active version does not change."
        } The same files cannot be approved again.`}
        confirmLabel="Revoke version"
        tone="danger"
        onConfirm={() => mutateAsync({ decision: "revoke", comment, ...(isReplaced ? { activate: next } : {}) })}
      >
        <div className="flex flex-col gap-4">
          {version.active && version.activatable.length > 0 ? (
            <Field label="New active version">
              <Select value={next} onChange={(event) => setNext(event.target.value)}>
                <option value="">None</option>
                {version.activatable.map(({ digest, number }) => (
                  <option key={digest} value={digest}>
                    Version {number} ({digest.slice(0, 7)})
                  </option>
                ))}
              </Select>
            </Field>
          ) : null}
          <Field label="Reason" optional>
            <Textarea rows={2} maxLength={4000} value={comment} onChange={(event) => setComment(event.target.value)} />
          </Field>
        </div>
      </ConfirmDialog>
    </>
  );
}
