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
  /** What the skill asks for, by its names. */
  slots: readonly string[];
  given: readonly CredentialGrant[];
  onChange: (given: CredentialGrant[]) => void;
};

/** For each slot that the skill asks for: which credential fills it, and how its runs get it. */
export function CredentialGrants(props: CredentialGrantsProps) {
  const me = useMe();
  // The names of stored credentials are for people with the review role.
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
        A skill that gets a secret and the network can send the secret away. Removing secrets from results helps against
        accidents; it does not stop a skill that hides them.
      </p>
      {names.error ? <p className="text-13 text-danger">{errorText(names.error)}</p> : null}
      {names.isPending ? <p className="text-muted-foreground text-xs">Being read.</p> : null}
      {given.map((grant, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no name of their own, and typing must not lose the focus
        <div key={index} className="flex flex-col gap-2 rounded-md border p-3">
          <div className="flex items-center justify-between gap-2">
            {slots.includes(grant.slot) ? (
              <span className="min-w-0 font-mono text-xs [overflow-wrap:anywhere]">{grant.slot}</span>
            ) : (
              <Input
                aria-label="What it is for"
                value={grant.slot}
                maxLength={100}
                onChange={(event) => change(index, { slot: event.target.value })}
              />
            )}
            <IconButton
              label={`Do not give ${grant.credential} for ${grant.slot}`}
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
            <Field label="As">
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
            <Field label={grant.as === "env" ? "Name of the variable" : "Name in /run/secrets"}>
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
        <p className="text-muted-foreground text-xs">No credential is stored. An admin stores them in the settings.</p>
      ) : null}
      {stored.length > 0 ? (
        <div className="flex flex-wrap gap-2">
          {open.map((slot) => (
            <Button key={slot} size="sm" onClick={() => add(slot)}>
              Give one for {slot}
            </Button>
          ))}
          <Button size="sm" onClick={() => add(freeSlot(given))}>
            Give another one
          </Button>
        </div>
      ) : null}
    </fieldset>
  );
}

/** A grant may name one that was deleted since; it stays to be seen. */
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

/** `GitHub token` as `GITHUB_TOKEN`. */
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

/** What a version asks for, as its capability card tells: names, and not what is only described. */
export function slotsOf(groups: Version["capabilities"]): string[] {
  const facts = (groups ?? []).find(({ group }) => group === "credentials")?.facts ?? [];
  return facts.filter(({ value, fact }) => value !== fact).map(({ value }) => value);
}
