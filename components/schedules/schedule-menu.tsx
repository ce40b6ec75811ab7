"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Ellipsis } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { errorText } from "@/components/state/describe-error";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from "@/components/ui/dropdown-menu";
import { IconButton } from "@/components/ui/icon-button";
import { useToast } from "@/components/ui/toast";
import { deleteSchedule, runSchedule, type Schedule, schedulesKey, updateSchedule } from "@/lib/client/schedules";

type ScheduleMenuProps = { schedule: Schedule; onEdit: () => void };

/** What can be done about a schedule. */
export function ScheduleMenu({ schedule, onEdit }: ScheduleMenuProps) {
  const { you, name, id } = schedule;
  const queries = useQueryClient();
  const router = useRouter();
  const { toast } = useToast();
  const [question, setQuestion] = useState<"delete" | "confirm" | null>(null);
  const refresh = () => queries.invalidateQueries({ queryKey: schedulesKey });
  const run = useMutation({
    mutationFn: () => runSchedule(id),
    onSuccess: (started) => {
      toast({
        title: `${name} was started.`,
        tone: "success",
        action: { label: "Show the run", onClick: () => router.push(`/runs/${started.id}`) },
      });
      return refresh();
    },
    onError: (error) => toast({ tone: "danger", title: `${name} was not started.`, description: errorText(error) }),
  });
  const answer = async () => {
    if (question === "delete") await deleteSchedule(id);
    else await updateSchedule(id, { confirm: true });
    await refresh();
  };
  if (!you.mayStop) return null;
  return (
    <>
      <DropdownMenu>
        <DropdownMenuTrigger asChild>
          <IconButton label={`Actions for ${name}`} size="sm">
            <Ellipsis aria-hidden />
          </IconButton>
        </DropdownMenuTrigger>
        <DropdownMenuContent>
          {you.mayChange && schedule.skill ? (
            <>
              {schedule.needsConfirmation ? (
                <DropdownMenuItem onSelect={() => setQuestion("confirm")}>Confirm its runs</DropdownMenuItem>
              ) : (
                <DropdownMenuItem onSelect={() => run.mutate()}>Run now</DropdownMenuItem>
              )}
              <DropdownMenuItem onSelect={onEdit}>Change</DropdownMenuItem>
              <DropdownMenuSeparator />
            </>
          ) : null}
          <DropdownMenuItem tone="danger" onSelect={() => setQuestion("delete")}>
            Delete
          </DropdownMenuItem>
        </DropdownMenuContent>
      </DropdownMenu>
      <ConfirmDialog
        open={question !== null}
        onOpenChange={(open) => !open && setQuestion(null)}
        title={question === "confirm" ? `Confirm the runs of ${name}?` : `Delete ${name}?`}
        description={
          question === "confirm"
            ? `${schedule.skill?.name} changes things. This covers its runs with these arguments, until its version changes.`
            : "It does not start again. Its runs and their results stay."
        }
        confirmLabel={question === "confirm" ? "Confirm runs" : "Delete schedule"}
        tone={question === "confirm" ? "primary" : "danger"}
        onConfirm={answer}
      />
    </>
  );
}
