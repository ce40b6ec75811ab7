"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { errorText } from "@/components/state/describe-error";
import { Switch } from "@/components/ui/switch";
import { useToast } from "@/components/ui/toast";
import { type Schedule, schedulesKey, updateSchedule } from "@/lib/client/schedules";

export function ScheduleSwitch({ schedule }: { schedule: Schedule }) {
  const queries = useQueryClient();
  const { toast } = useToast();
  const change = useMutation({
    mutationFn: (enabled: boolean) => updateSchedule(schedule.id, { enabled }),
    onError: (error) =>
      toast({ tone: "danger", title: `${schedule.name} stays as it is.`, description: errorText(error) }),
    onSettled: () => queries.invalidateQueries({ queryKey: schedulesKey }),
  });
  const shown = change.isPending ? change.variables : schedule.enabled;
  const mayNot = schedule.enabled ? !schedule.you.mayStop : !schedule.you.mayChange;
  return (
    <span title={mayNot ? "Only its owner can switch it on" : undefined} className="inline-flex">
      <Switch
        aria-label={`${schedule.name} is ${shown ? "on" : "off"}`}
        checked={shown}
        disabled={mayNot || change.isPending}
        onCheckedChange={(enabled) => change.mutate(enabled)}
      />
    </span>
  );
}
