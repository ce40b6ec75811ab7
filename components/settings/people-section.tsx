"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { FormError } from "@/components/forms/form-error";
import { QueryState } from "@/components/state/query-state";
import { Avatar } from "@/components/ui/avatar";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { FormDialogContent } from "@/components/ui/form-dialog-content";
import { Input } from "@/components/ui/input";
import { RelativeTime } from "@/components/ui/relative-time";
import { Section } from "@/components/ui/section";
import { Select } from "@/components/ui/select";
import { SkeletonRows } from "@/components/ui/skeleton-rows";
import { ActionsHeader, Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";
import { ApiError } from "@/lib/client/api";
import type { Role } from "@/lib/client/me";
import { invitePerson, type Person, peopleQuery } from "@/lib/client/people";
import { InviteLink } from "./invite-link";
import { PersonMenu } from "./person-menu";
import { roleExplanations, roleLabels, roleOptions } from "./role-labels";

export function PeopleSection() {
  const query = useQuery(peopleQuery);
  const [isInviting, setInviting] = useState(false);
  return (
    <Section
      title="People"
      description="They join by a link that you hand them; they choose their own password."
      actions={
        <Button variant="primary" onClick={() => setInviting(true)}>
          Invite person
        </Button>
      }
    >
      <QueryState query={query} loading={<SkeletonRows rows={4} />} errorTitle="The people could not be loaded.">
        {(page) => <PeopleTable people={page.items} />}
      </QueryState>
      <InviteDialog open={isInviting} onOpenChange={setInviting} />
    </Section>
  );
}

function PeopleTable({ people }: { people: readonly Person[] }) {
  return (
    <Table label="People">
      <TableHead>
        <tr>
          <TableHeader>Name</TableHeader>
          <TableHeader>Role</TableHeader>
          <TableHeader className="max-md:hidden">State</TableHeader>
          <TableHeader className="max-md:hidden">Last seen</TableHeader>
          <ActionsHeader />
        </tr>
      </TableHead>
      <TableBody>
        {people.map((person) => (
          <TableRow key={person.id}>
            <TableCell>
              <span className="flex items-center gap-2.5">
                <Avatar name={person.name} />
                <span className="min-w-0">
                  <span className="block font-medium">{person.name}</span>
                  <span className="block truncate text-muted-foreground text-xs">{person.email}</span>
                </span>
              </span>
            </TableCell>
            <TableCell>
              {roleLabels[person.role]}
              <span className="block md:hidden">
                <PersonState state={person.state} />
              </span>
            </TableCell>
            <TableCell className="max-md:hidden">
              <PersonState state={person.state} />
            </TableCell>
            <TableCell muted className="max-md:hidden">
              {person.lastSeenAt ? <RelativeTime value={person.lastSeenAt} /> : "Never"}
            </TableCell>
            <TableCell align="right">
              <PersonMenu person={person} />
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

function PersonState({ state }: { state: Person["state"] }) {
  if (state === "active") return <Badge>Active</Badge>;
  if (state === "invited") return <Badge tone="warning">Invited</Badge>;
  return <Badge tone="danger">Disabled</Badge>;
}

type InviteDialogProps = { open: boolean; onOpenChange: (open: boolean) => void };

function InviteDialog({ open, onOpenChange }: InviteDialogProps) {
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
