"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { QueryState } from "@/components/state/query-state";
import { Avatar } from "@/components/ui/avatar";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { RelativeTime } from "@/components/ui/relative-time";
import { Section } from "@/components/ui/section";
import { SkeletonRows } from "@/components/ui/skeleton-rows";
import { ActionsHeader, Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";
import { type Person, peopleQuery } from "@/lib/client/people";
import { InviteDialog } from "./invite-dialog";
import { PersonMenu } from "./person-menu";
import { roleLabels } from "./role-words";

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
