"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Ellipsis } from "lucide-react";
import { useState } from "react";
import { errorText } from "@/components/state/describe-error";
import { useMe } from "@/components/state/use-me";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { Dialog } from "@/components/ui/dialog";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from "@/components/ui/dropdown-menu";
import { IconButton } from "@/components/ui/icon-button";
import { useToast } from "@/components/ui/toast";
import { meQuery, type Role } from "@/lib/client/me";
import { type Person, peopleQuery, renewInvite, updatePerson } from "@/lib/client/people";
import { InviteLink } from "./invite-link";
import { QuotaDialog } from "./quotas/quota-dialog";
import { roleExplanations, roleLabels, roleOptions } from "./role-words";

type Question = { kind: "role"; role: Role } | { kind: "disable" };

/** What an admin can do about a person. */
export function PersonMenu({ person }: { person: Person }) {
  const queries = useQueryClient();
  const { toast } = useToast();
  const isSelf = useMe()?.user.id === person.id;
  const [isSettingQuotas, setSettingQuotas] = useState(false);
  const [question, setQuestion] = useState<Question | null>(null);
  const refresh = () =>
    Promise.all([peopleQuery.queryKey, meQuery.queryKey].map((queryKey) => queries.invalidateQueries({ queryKey })));
  const update = useMutation({ mutationFn: updatePerson, onSuccess: refresh });
  const renew = useMutation({
    mutationFn: () => renewInvite(person.id),
    onSuccess: refresh,
    onError: (error) => toast({ tone: "danger", title: "No link was made.", description: errorText(error) }),
  });
  const enable = () =>
    update.mutate(
      { id: person.id, patch: { state: "active" } },
      {
        onError: (error) =>
          toast({ tone: "danger", title: `${person.name} stays disabled.`, description: errorText(error) }),
      },
    );
  const confirm = () => {
    const patch = question?.kind === "role" ? { role: question.role } : { state: "disabled" as const };
    return update.mutateAsync({ id: person.id, patch });
  };

  return (
    <>
      <DropdownMenu>
        <DropdownMenuTrigger asChild>
          <IconButton label={`Change ${person.name}`} size="sm">
            <Ellipsis aria-hidden />
          </IconButton>
        </DropdownMenuTrigger>
        <DropdownMenuContent>
          <DropdownMenuLabel>Role</DropdownMenuLabel>
          <DropdownMenuRadioGroup
            value={person.role}
            onValueChange={(value) => {
              const role = roleOptions.find((option) => option.value === value)?.value;
              if (role && role !== person.role) setQuestion({ kind: "role", role });
            }}
          >
            {roleOptions.map(({ value, label }) => (
              <DropdownMenuRadioItem key={value} value={value}>
                {label}
              </DropdownMenuRadioItem>
            ))}
          </DropdownMenuRadioGroup>
          <DropdownMenuSeparator />
          <DropdownMenuItem onSelect={() => setSettingQuotas(true)}>Quotas …</DropdownMenuItem>
          {person.state === "invited" ? (
            <DropdownMenuItem onSelect={() => renew.mutate()}>New invitation link</DropdownMenuItem>
          ) : null}
          {person.state === "disabled" ? (
            <DropdownMenuItem onSelect={enable}>Enable</DropdownMenuItem>
          ) : (
            <DropdownMenuItem tone="danger" onSelect={() => setQuestion({ kind: "disable" })}>
              Disable
            </DropdownMenuItem>
          )}
        </DropdownMenuContent>
      </DropdownMenu>
      <QuotaDialog person={person} open={isSettingQuotas} onOpenChange={setSettingQuotas} />
      <ConfirmDialog
        open={question !== null}
        onOpenChange={(open) => !open && setQuestion(null)}
        title={
          question?.kind === "role"
            ? `Make ${person.name} ${roleLabels[question.role].toLowerCase()}?`
            : `Disable ${person.name}?`
        }
        description={explain(question, isSelf)}
        confirmLabel={question?.kind === "role" ? "Change role" : "Disable person"}
        tone={question?.kind === "disable" ? "danger" : "primary"}
        onConfirm={confirm}
      />
      <Dialog open={renew.data !== undefined} onOpenChange={(open) => !open && renew.reset()}>
        {renew.data ? <InviteLink name={person.name} url={renew.data.inviteUrl} /> : null}
      </Dialog>
    </>
  );
}

function explain(question: Question | null, isSelf: boolean): string {
  const self = isSelf ? " This is your own account." : "";
  if (question?.kind === "role") {
    return `In this role a person ${roleExplanations[question.role]}. It counts from their next request on.${self}`;
  }
  return `Their sessions end now, and their tokens rest until they are enabled again.${self}`;
}
