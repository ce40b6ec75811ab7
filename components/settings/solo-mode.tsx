"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { Section } from "@/components/ui/section";
import { meQuery } from "@/lib/client/me";
import { settingsQuery, updateSettings } from "@/lib/client/settings";

/** One person or more: who must agree before a skill runs. */
export function SoloMode({ isOn }: { isOn: boolean }) {
  const queries = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const change = useMutation({
    mutationFn: () => updateSettings({ soloMode: !isOn }),
    onSuccess: (answer) => {
      queries.setQueryData(settingsQuery.queryKey, answer);
      return queries.invalidateQueries({ queryKey: meQuery.queryKey });
    },
  });
  return (
    <Section
      title={
        <span className="flex items-center gap-2">
          Solo mode <Badge tone={isOn ? "warning" : "success"}>{isOn ? "On" : "Off"}</Badge>
        </span>
      }
      actions={<Button onClick={() => setAsking(true)}>{isOn ? "Turn off" : "Turn on"}</Button>}
    >
      <div className="prose max-w-prose text-13">
        {isOn ? (
          <p>
            One person may import a skill, approve it and confirm its runs. Every approval made this way says so. Turn
            it off when a second reviewer has joined.
          </p>
        ) : (
          <p>
            Nobody approves what they brought in. Dangerous skills need two other people, for their versions and for
            each run.
          </p>
        )}
      </div>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={isOn ? "Turn solo mode off?" : "Turn solo mode on?"}
        description={isOn ? <ExplainOff /> : <ExplainOn />}
        confirmLabel={isOn ? "Turn solo mode off" : "Turn solo mode on"}
        tone={isOn ? "primary" : "danger"}
        onConfirm={() => change.mutateAsync()}
      />
    </Section>
  );
}

function ExplainOff() {
  return (
    <>
      From now on a version needs the decision of somebody else than its author, and a dangerous one needs two. With one
      reviewer alone, nothing of theirs can be approved. What is approved already stays so. The audit log records this
      change.
    </>
  );
}

function ExplainOn() {
  return (
    <>
      From now on one person can approve and run what they brought in, dangerous skills too: nobody else has to look.
      The audit log records this change, and a banner names it.
    </>
  );
}
