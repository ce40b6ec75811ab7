import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { errorText } from "@/components/state/describe-error";
import { useMe } from "@/components/state/use-me";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { IconButton } from "@/components/ui/icon-button";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { credentialNamesQuery } from "@/lib/client/credentials";
import type { Version } from "@/lib/skills/versions/schema";

type CredentialGrant = NonNullable<Version["declaredGrants"]["credentials"]>[number];

type CredentialGrantsProps = {
  slots: readonly string[];
  given: readonly CredentialGrant[];
  onChange: (given: CredentialGrant[]) => void;
};

/** Assigns a stored credential to each requested slot, as a variable or a file. */
export function CredentialGrants(props: CredentialGrantsProps) {
  const me = useMe();
  // Only reviewers and admins may see the names of stored credentials.
  if (me === undefined || me.user.role === "user") return null;
  return <StoredCredentials {...props} />;
}

function StoredCredentials({ slots, given, onChange }: CredentialGrantsProps) {
  const names = useQuery(credentialNamesQuery);
  const stored = names.data?.items ?? [];
  const open = slots.filter((slot) => !given.some((grant) => grant.slot === slot));
  const first = stored[0]?.name;
  const add = (slot: string) => {
    if (first === undefined) return;
    onChange([...given, { slot, credential: first, as: "env", name: variableOf(slot) }]);
  };
  const change = (index: number, part: Partial<CredentialGrant>) =>
    onChange(given.map((grant, at) => (at === index ? { ...grant, ...part } : grant)));
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1.5 font-medium text-13">Credentials</legend>
      <p className="text-muted-foreground text-xs">
        A skill with a secret and network access can leak the secret. Skillgate removes secrets from results, which
        prevents accidents but not a skill that encodes them.
      </p>
      {names.error ? <p className="text-13 text-danger">{errorText(names.error)}</p> : null}
      {names.isPending ? <p className="text-muted-foreground text-xs">Loading</p> : null}
      {given.map((grant, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no stable id, and typing must not lose the focus
        <div key={index} className="flex flex-col gap-2 rounded-md border p-3">
          <div className="flex items-center justify-between gap-2">
            {slots.includes(grant.slot) ? (
              <span className="min-w-0 font-mono text-xs [overflow-wrap:anywhere]">{grant.slot}</span>
            ) : (
              <Input
                aria-label="Purpose"
                value={grant.slot}
                maxLength={100}
                onChange={(event) => change(index, { slot: event.target.value })}
              />
            )}
            <IconButton
              label={`Remove ${grant.credential} for ${grant.slot}`}
              size="sm"
              onClick={() => onChange(given.filter((_, at) => at !== index))}
            >
              <X aria-hidden />
            </IconButton>
          </div>
          <Field label="Credential">
            <Select
              value={grant.credential}
              onChange={(event) => change(index, { credential: event.target.value })}
              options={optionsOf(stored, grant.credential)}
            />
          </Field>
          <div className="grid grid-cols-2 gap-2">
            <Field label="Passed as">
              <Select
                value={grant.as}
                onChange={(event) =>
                  change(index, withForm(event.target.value === "file" ? "file" : "env", grant.slot))
                }
                options={[
                  { value: "env", label: "Variable" },
                  { value: "file", label: "File" },
                ]}
              />
            </Field>
            <Field label={grant.as === "env" ? "Variable name" : "File name in /run/secrets"}>
              <Input
                value={grant.name}
                maxLength={100}
                spellCheck={false}
                autoComplete="off"
                className="font-mono text-xs"
                onChange={(event) => change(index, { name: event.target.value })}
              />
            </Field>
          </div>
        </div>
      ))}
      {names.data && stored.length === 0 ? (
        <p className="text-muted-foreground text-xs">No credentials stored. An admin can add them under Settings.</p>
      ) : null}
      {stored.length > 0 ? (
        <div className="flex flex-wrap gap-2">
          {open.map((slot) => (
            <Button key={slot} size="sm" onClick={() => add(slot)}>
              Add for {slot}
            </Button>
          ))}
          <Button size="sm" onClick={() => add(freeSlot(given))}>
            Add another credential
          </Button>
        </div>
      ) : null}
    </fieldset>
  );
}

/** Includes a chosen credential that was deleted since. */
function optionsOf(stored: readonly { name: string; description: string }[], chosen: string) {
  const options = stored.map(({ name, description }) => ({
    value: name,
    label: description ? `${name}: ${description}` : name,
  }));
  if (stored.some(({ name }) => name === chosen)) return options;
  return [...options, { value: chosen, label: `${chosen} (not stored)` }];
}

function withForm(as: CredentialGrant["as"], slot: string): Partial<CredentialGrant> {
  return { as, name: as === "env" ? variableOf(slot) : fileOf(slot) };
}

/** `GitHub token` becomes `GITHUB_TOKEN`. */
function variableOf(slot: string): string {
  const name = slot
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "");
  return /^[A-Z_]/.test(name) ? name : `SECRET_${name}`.replace(/_$/, "");
}

export function fileOf(slot: string): string {
  const name = slot
    .toLowerCase()
    .replace(/[^a-z0-9_.]+/g, "-")
    .replace(/^[-.]+|[-.]+$/g, "");
  return name === "" ? "secret" : name;
}

function freeSlot(given: readonly CredentialGrant[]): string {
  for (let number = 1; ; number += 1) {
    const slot = `secret ${number}`;
    if (!given.some((grant) => grant.slot === slot)) return slot;
  }
}

/** Names of the credentials that a version requests, without those only described in prose. */
export function slotsOf(groups: Version["capabilities"]): string[] {
  const facts = (groups ?? []).find(({ group }) => group === "credentials")?.facts ?? [];
  return facts.filter(({ value, fact }) => value !== fact).map(({ value }) => value);
}
