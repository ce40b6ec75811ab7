"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { useId, useState } from "react";
import { FormError } from "@/components/forms/form-error";
import { shellQuote } from "@/components/runs/curl-command";
import { QueryState } from "@/components/state/query-state";
import { useMe } from "@/components/state/use-me";
import { useNow } from "@/components/state/use-now";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { CodeBlock } from "@/components/ui/code-block";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { Dialog, DialogClose, DialogContent } from "@/components/ui/dialog";
import { EmptyState } from "@/components/ui/empty-state";
import { Field } from "@/components/ui/field";
import { FormDialogContent } from "@/components/ui/form-dialog-content";
import { Input } from "@/components/ui/input";
import { RelativeTime } from "@/components/ui/relative-time";
import { Section } from "@/components/ui/section";
import { Select } from "@/components/ui/select";
import { ActionsHeader, Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";
import { ApiError } from "@/lib/client/api";
import type { Role } from "@/lib/client/me";
import { type ApiToken, createToken, revokeToken, tokensQuery } from "@/lib/client/tokens";
import { PersonaChoice } from "./persona-choice";
import { expiresIn, expiries, scopesOf, type TokenScope } from "./scope-labels";
import { SecretOnce } from "./secret-once";

export function TokenSection() {
  const query = useQuery(tokensQuery);
  const [isCreating, setCreating] = useState(false);
  const create = (
    <Button variant="primary" onClick={() => setCreating(true)}>
      Create token
    </Button>
  );
  const isEmpty = query.data?.items.length === 0;
  return (
    <Section
      title="API tokens"
      description="For programs and agents that act in your name."
      actions={isEmpty ? null : create}
    >
      <QueryState
        query={query}
        skeletonRows={3}
        errorTitle="Your tokens could not be loaded."
        isEmpty={(page) => page.items.length === 0}
        empty={
          <EmptyState
            icon={KeyRound}
            title="You have no tokens"
            description="With a token a program calls the API as you, within the scopes you choose."
            action={create}
          />
        }
      >
        {(page) => <TokenTable tokens={page.items} />}
      </QueryState>
      <CreateTokenDialog open={isCreating} onOpenChange={setCreating} />
    </Section>
  );
}

function TokenTable({ tokens }: { tokens: readonly ApiToken[] }) {
  const queries = useQueryClient();
  const [asked, setAsked] = useState<ApiToken | null>(null);
  const revoke = useMutation({
    mutationFn: revokeToken,
    onSuccess: () => queries.invalidateQueries({ queryKey: tokensQuery.queryKey }),
  });
  return (
    <>
      <Table label="API tokens">
        <TableHead>
          <tr>
            <TableHeader>Name</TableHeader>
            <TableHeader>Scopes</TableHeader>
            <TableHeader className="max-md:hidden">Last used</TableHeader>
            <TableHeader className="max-md:hidden">Expires</TableHeader>
            <ActionsHeader />
          </tr>
        </TableHead>
        <TableBody>
          {tokens.map((token) => (
            <TableRow key={token.id}>
              <TableCell className="font-medium">
                {token.name}
                {token.personaName ? (
                  <span className="font-normal text-muted-foreground"> as {token.personaName}</span>
                ) : null}
              </TableCell>
              <TableCell muted>{token.scopes.join(", ")}</TableCell>
              <TableCell muted className="max-md:hidden">
                {token.lastUsedAt ? <RelativeTime value={token.lastUsedAt} /> : "Never"}
              </TableCell>
              <TableCell muted className="max-md:hidden">
                <Expiry at={token.expiresAt} />
              </TableCell>
              <TableCell align="right">
                <Button size="sm" onClick={() => setAsked(token)} aria-label={`Revoke ${token.name}`}>
                  Revoke
                </Button>
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
      <ConfirmDialog
        open={asked !== null}
        onOpenChange={(open) => !open && setAsked(null)}
        title={`Revoke “${asked?.name ?? ""}”?`}
        description="What uses it is refused from the next request on. This cannot be undone."
        confirmLabel="Revoke token"
        tone="danger"
        onConfirm={() => (asked ? revoke.mutateAsync(asked.id) : undefined)}
      />
    </>
  );
}

function Expiry({ at }: { at: string | null }) {
  const now = useNow();
  if (at === null) return "Never";
  if (now !== null && Date.parse(at) <= now) return <Badge tone="danger">Expired</Badge>;
  return <RelativeTime value={at} />;
}

type CreateTokenDialogProps = { open: boolean; onOpenChange: (open: boolean) => void };

function CreateTokenDialog({ open, onOpenChange }: CreateTokenDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      {open ? <CreateToken /> : null}
    </Dialog>
  );
}

function CreateToken() {
  const queries = useQueryClient();
  const role = useMe()?.user.role ?? "user";
  const [name, setName] = useState("");
  const [chosen, setChosen] = useState<TokenScope[]>(["read", "run"]);
  const [days, setDays] = useState("90");
  const [persona, setPersona] = useState("");
  // A program under a persona never decides, whatever its owner may do.
  const allowed = persona === "" ? chosen : chosen.filter((scope) => scope !== "review" && scope !== "admin");
  const create = useMutation({
    mutationFn: createToken,
    onSuccess: () => queries.invalidateQueries({ queryKey: tokensQuery.queryKey }),
  });
  const error = create.error instanceof ApiError ? create.error : null;
  const submit = () => {
    create.mutate({
      name,
      scopes: allowed,
      expiresAt: expiresIn(days, Date.now()),
      ...(persona === "" ? {} : { persona }),
    });
  };

  if (create.data) return <CreatedToken token={create.data.token} name={create.data.name} />;
  return (
    <FormDialogContent
      title="Create API token"
      description="For programs that act in your name. It can never do more than you can."
      action="Create token"
      pending={create.isPending}
      onSubmit={submit}
    >
      <Field label="Name" required help="What uses it: “laptop”, “nightly report”." error={error?.fieldError("name")}>
        <Input value={name} maxLength={100} onChange={({ target }) => setName(target.value)} autoComplete="off" />
      </Field>
      {role === "admin" ? (
        <PersonaChoice value={persona} onChange={setPersona} error={error?.fieldError("persona")} />
      ) : null}
      <ScopePicker
        role={persona === "" ? role : "user"}
        chosen={allowed}
        onChange={setChosen}
        error={error?.fieldError("scopes")}
      />
      <Field label="Expires in" error={error?.fieldError("expiresAt")}>
        <Select options={expiries} value={days} onChange={({ target }) => setDays(target.value)} className="w-40" />
      </Field>
      <FormError error={create.error} />
    </FormDialogContent>
  );
}

function CreatedToken({ token, name }: { token: string; name: string }) {
  const url = shellQuote(`${window.location.origin}/api/skills`);
  return (
    <DialogContent
      title={`Token “${name}” is ready`}
      size="lg"
      footer={
        <DialogClose asChild>
          <Button variant="primary">Done</Button>
        </DialogClose>
      }
    >
      <SecretOnce secret={token} label="Token" warning="Copy it now. It is stored as a hash and never shown again.">
        <CodeBlock
          code={`export SKILLGATE_TOKEN=${shellQuote(token)}\ncurl -sS -H "Authorization: Bearer $SKILLGATE_TOKEN" ${url}`}
          label="Try it"
        />
      </SecretOnce>
    </DialogContent>
  );
}

type ScopePickerProps = {
  role: Role;
  chosen: readonly TokenScope[];
  onChange: (scopes: TokenScope[]) => void;
  error: string | undefined;
};

function ScopePicker({ role, chosen, onChange, error }: ScopePickerProps) {
  const id = useId();
  return (
    <fieldset aria-describedby={error ? `${id}-error` : undefined} className="flex flex-col gap-2">
      <legend className="mb-1.5 font-medium text-13">It may</legend>
      {scopesOf(role).map(({ scope, label, explanation }) => (
        <div key={scope} className="flex items-start gap-2.5">
          <Checkbox
            id={`${id}-${scope}`}
            className="mt-0.5"
            aria-describedby={`${id}-${scope}-help`}
            checked={chosen.includes(scope)}
            onCheckedChange={(isOn) =>
              onChange(isOn === true ? [...chosen, scope] : chosen.filter((other) => other !== scope))
            }
          />
          <div className="text-13">
            <label htmlFor={`${id}-${scope}`} className="font-medium">
              {label}
            </label>
            <p id={`${id}-${scope}-help`} className="text-muted-foreground text-xs">
              {explanation}
            </p>
          </div>
        </div>
      ))}
      {error ? (
        <p id={`${id}-error`} role="alert" className="text-13 text-danger">
          {error}
        </p>
      ) : null}
    </fieldset>
  );
}
