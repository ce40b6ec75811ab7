"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { FormError } from "@/components/state/form-error";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { FormDialogContent } from "@/components/ui/form-dialog-content";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { ApiError } from "@/lib/client/api";
import type { Role } from "@/lib/client/me";
import { invitePerson, peopleQuery } from "@/lib/client/people";
import { InviteLink } from "./invite-link";
import { roleExplanations, roleOptions } from "./role-words";

type InviteDialogProps = { open: boolean; onOpenChange: (open: boolean) => void };

export function InviteDialog({ open, onOpenChange }: InviteDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      {open ? <Invite /> : null}
    </Dialog>
  );
}

function Invite() {
  const queries = useQueryClient();
  const [email, setEmail] = useState("");
  const [name, setName] = useState("");
  const [role, setRole] = useState<Role>("user");
  const invite = useMutation({
    mutationFn: invitePerson,
    onSuccess: () => queries.invalidateQueries({ queryKey: peopleQuery.queryKey }),
  });
  const error = invite.error instanceof ApiError ? invite.error : null;

  if (invite.data) return <InviteLink name={invite.data.user.name} url={invite.data.inviteUrl} />;
  return (
    <FormDialogContent
      title="Invite person"
      description="You get a link to hand over. No email is sent."
      action="Create invitation"
      pending={invite.isPending}
      onSubmit={() => invite.mutate({ email, name, role })}
    >
      <Field label="Name" required error={error?.fieldError("name")}>
        <Input value={name} maxLength={100} autoComplete="off" onChange={({ target }) => setName(target.value)} />
      </Field>
      <Field label="Email" required error={error?.fieldError("email")}>
        <Input type="email" value={email} autoComplete="off" onChange={({ target }) => setEmail(target.value)} />
      </Field>
      <Field label="Role" help={`A ${role} ${roleExplanations[role]}.`.replace("A admin", "An admin")}>
        <Select
          options={roleOptions}
          value={role}
          onChange={({ target }) => setRole(roleOptions.find(({ value }) => value === target.value)?.value ?? "user")}
        />
      </Field>
      <FormError error={invite.error} />
    </FormDialogContent>
  );
}
