"use client";

import { useQuery } from "@tanstack/react-query";
import { FormDialog, SelectField, TextField } from "@/components/forms/form";
import { useApiForm } from "@/components/forms/use-api-form";
import { actionsColumn, type Column, DataTable, timeColumn } from "@/components/lists/data-table";
import { ListSection } from "@/components/lists/list-section";
import { Avatar } from "@/components/ui/avatar";
import { Badge } from "@/components/ui/badge";
import type { Role } from "@/lib/client/me";
import { invitePerson, type Person, peopleQuery } from "@/lib/client/people";
import { roleDescriptions, roleLabels, roleOptions } from "./person-labels";
import { PersonMenu } from "./person-menu";
import { InviteLink } from "./secret-dialog";

const columns: readonly Column<Person>[] = [
  {
    header: "Name",
    cell: ({ name, email }) => (
      <span className="flex items-center gap-2.5">
        <Avatar name={name} />
        <span className="min-w-0">
          <span className="block font-medium">{name}</span>
          <span className="block truncate text-muted-foreground text-xs">{email}</span>
        </span>
      </span>
    ),
  },
  {
    header: "Role",
    cell: ({ role, state }) => (
      <>
        {roleLabels[role]}
        <span className="block md:hidden">
          <PersonState state={state} />
        </span>
      </>
    ),
  },
  { header: "State", className: "max-md:hidden", cell: ({ state }) => <PersonState state={state} /> },
  timeColumn("Last seen", ({ lastSeenAt }) => lastSeenAt, { className: "max-md:hidden" }),
  actionsColumn((person) => <PersonMenu person={person} />),
];

export function PeopleSection() {
  return (
    <ListSection
      title="People"
      description="People join with an invitation link that you send them, and choose their own password."
      query={useQuery(peopleQuery)}
      skeletonRows={4}
      errorTitle="The people could not be loaded."
      create="Invite person"
      dialog={() => <Invite />}
    >
      {(people) => <DataTable label="People" rows={people} rowId={({ id }) => id} columns={columns} />}
    </ListSection>
  );
}

function PersonState({ state }: { state: Person["state"] }) {
  if (state === "active") return <Badge>Active</Badge>;
  if (state === "invited") return <Badge tone="warning">Invited</Badge>;
  return <Badge tone="danger">Disabled</Badge>;
}

function Invite() {
  const form = useApiForm({
    values: { name: "", email: "", role: "user" as Role },
    schema: async () => (await import("@/lib/auth/schema")).InviteUserInput,
    send: invitePerson,
    refresh: [peopleQuery.queryKey],
  });
  const role = form.watch("role");

  if (form.answer) return <InviteLink name={form.answer.user.name} url={form.answer.inviteUrl} />;
  return (
    <FormDialog
      form={form}
      title="Invite person"
      description="Skillgate sends no email: you get a link and send it yourself."
      action="Create invitation"
    >
      <TextField form={form} name="name" label="Name" required maxLength={100} />
      <TextField form={form} name="email" label="Email" required type="email" />
      <SelectField form={form} name="role" label="Role" help={roleDescriptions[role]} options={roleOptions} />
    </FormDialog>
  );
}
