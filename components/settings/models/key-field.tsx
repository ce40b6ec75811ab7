import { useQuery } from "@tanstack/react-query";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import type { ApiError } from "@/lib/client/api";
import { credentialsQuery } from "@/lib/client/credentials";
import { SecretField } from "../credentials/secret-field";

export type ChosenKey = {
  /** The name of a credential; null for none. */
  stored: string | null;
  /** One that is stored together with the endpoint. */
  made: { name: string; value: string } | null;
};

type KeyFieldProps = { chosen: ChosenKey; onChange: (chosen: ChosenKey) => void; error: ApiError | null };

// No credential may be called so.
const NONE = "";
const NEW = "*new*";

/** The key that is sent: none, a credential there is, or one that is stored here. */
export function KeyField({ chosen: { stored, made }, onChange, error }: KeyFieldProps) {
  const names = useQuery(credentialsQuery).data?.items.map(({ name }) => name) ?? [];
  const options = [...new Set([...(stored === null ? [] : [stored]), ...names])];
  return (
    <>
      <Field label="Key" error={error?.fieldError("credential")} help="A stored credential; its value never comes out.">
        <Select
          value={made ? NEW : (stored ?? NONE)}
          onChange={({ target: { value } }) => {
            if (value === NEW) onChange({ stored: null, made: { name: "", value: "" } });
            else onChange({ stored: value === NONE ? null : value, made: null });
          }}
          options={[
            { value: NONE, label: "No key" },
            ...options.map((name) => ({ value: name, label: name })),
            { value: NEW, label: "Store a new key…" },
          ]}
        />
      </Field>
      {made ? (
        <>
          <Field
            label="Name of the credential"
            required
            help="Lower-case letters, digits, - and _."
            error={error?.fieldError("name")}
          >
            <Input
              value={made.name}
              maxLength={63}
              autoComplete="off"
              spellCheck={false}
              className="font-mono"
              onChange={({ target }) => onChange({ stored: null, made: { ...made, name: target.value } })}
            />
          </Field>
          <SecretField
            value={made.value}
            onChange={(value) => onChange({ stored: null, made: { ...made, value } })}
            error={error?.fieldError("value")}
          />
        </>
      ) : null}
    </>
  );
}
