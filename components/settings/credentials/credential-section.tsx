"use client";

import { useQuery } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { useState } from "react";
import { QueryState } from "@/components/state/query-state";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Section } from "@/components/ui/section";
import { SkeletonRows } from "@/components/ui/skeleton-rows";
import { Table, TableBody, TableHead, TableHeader, TableRow } from "@/components/ui/table";
import { type Credential, credentialsQuery } from "@/lib/client/credentials";
import { AddCredentialDialog } from "./add-credential-dialog";
import { CredentialRow } from "./credential-row";
import { DeleteCredentialDialog } from "./delete-credential-dialog";
import { RotateCredentialDialog } from "./rotate-credential-dialog";

/** Secrets that a review can grant to a version's runs. Their values go in here and never come out. */
export function CredentialSection() {
  const query = useQuery(credentialsQuery);
  const [isAdding, setAdding] = useState(false);
  const [rotated, setRotated] = useState<Credential | null>(null);
  const [deleted, setDeleted] = useState<Credential | null>(null);
  const add = (
    <Button variant="primary" onClick={() => setAdding(true)}>
      Add credential
    </Button>
  );
  return (
    <Section
      title="Credentials"
      description="Secrets that runs get where a review has granted them. Values are stored encrypted, and nobody can read them again."
      actions={add}
    >
      <QueryState
        query={query}
        loading={<SkeletonRows rows={3} />}
        errorTitle="The credentials could not be loaded."
        isEmpty={(list) => list.items.length === 0}
        empty={
          <EmptyState
            icon={KeyRound}
            title="No credential is stored"
            description="Store one here; whoever approves a version then chooses what its runs get."
          />
        }
      >
        {(list) => (
          <Table label="Credentials">
            <TableHead>
              <TableRow>
                <TableHeader>Credential</TableHeader>
                <TableHeader>Given to</TableHeader>
                <TableHeader>Changed</TableHeader>
                <TableHeader>Last used</TableHeader>
                <TableHeader>
                  <span className="sr-only">Actions</span>
                </TableHeader>
              </TableRow>
            </TableHead>
            <TableBody>
              {list.items.map((credential) => (
                <CredentialRow
                  key={credential.id}
                  credential={credential}
                  onRotate={() => setRotated(credential)}
                  onDelete={() => setDeleted(credential)}
                />
              ))}
            </TableBody>
          </Table>
        )}
      </QueryState>
      <AddCredentialDialog open={isAdding} onOpenChange={setAdding} />
      <RotateCredentialDialog credential={rotated} onClose={() => setRotated(null)} />
      <DeleteCredentialDialog credential={deleted} onClose={() => setDeleted(null)} />
    </Section>
  );
}
