import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { Textarea } from "@/components/ui/textarea";
import type { CredentialInput, SourceKind } from "@/lib/catalog/sources/schema";
import { readSourceText } from "@/lib/skill-format/source-text";
import { kindLabels } from "./source-actions";

type HostDraft = { repoUrl: string; kind: SourceKind | ""; username: string; secret: string };

type HostFieldsProps = {
  draft: HostDraft;
  onChange: (patch: Partial<HostDraft>) => void;
  hasCredential: boolean;
  errorOf: (field: string) => string | undefined;
};

const kindOptions = [
  { value: "", label: "From the address" },
  ...Object.entries(kindLabels).map(([value, label]) => ({ value, label })),
];

/** What a source on another host than GitHub needs: its kind, and a token or, for ssh, a deploy key. */
export function HostFields({ draft, onChange, hasCredential, errorOf }: HostFieldsProps) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label="Kind of source" error={errorOf("kind")}>
        <Select
          value={draft.kind}
          options={kindOptions}
          onChange={({ target }) => onChange({ kind: target.value as SourceKind | "" })}
        />
      </Field>
      {isSsh(draft.repoUrl) ? null : (
        <Field label="User name" optional help="Only if the host asks for one." error={errorOf("credential.username")}>
          <Input
            value={draft.username}
            autoComplete="off"
            spellCheck={false}
            maxLength={200}
            onChange={({ target }) => onChange({ username: target.value })}
          />
        </Field>
      )}
      <Field
        label={isSsh(draft.repoUrl) ? "Deploy key" : "Token"}
        optional
        className="sm:col-span-2"
        help={
          hasCredential
            ? "One is stored. Leave this empty to keep it; another host never gets it."
            : "Stored encrypted, sent to this host only, and never shown again."
        }
        error={errorOf("credential") ?? errorOf(isSsh(draft.repoUrl) ? "credential.privateKey" : "credential.token")}
      >
        {isSsh(draft.repoUrl) ? (
          <Textarea
            value={draft.secret}
            rows={4}
            placeholder="-----BEGIN OPENSSH PRIVATE KEY-----"
            autoComplete="off"
            spellCheck={false}
            onChange={({ target }) => onChange({ secret: target.value })}
          />
        ) : (
          <Input
            type="password"
            value={draft.secret}
            autoComplete="off"
            spellCheck={false}
            maxLength={4096}
            onChange={({ target }) => onChange({ secret: target.value })}
          />
        )}
      </Field>
    </div>
  );
}

/** Sources on GitHub share one token, which has its own section. */
export function isOnGitHub({ kind, repoUrl }: { kind: string; repoUrl: string }): boolean {
  if (kind !== "" && kind !== "github") return false;
  const { repoUrl: address } = readSourceText(repoUrl, "https://github.com");
  return kind === "github" || address.trim() === "" || /^(https:\/\/|git@)github\.com[/:]/i.test(address);
}

function isSsh(repoUrl: string): boolean {
  return /^ssh:\/\/|^[^/\s:]+@[^/\s]+:(?!\/\/)/i.test(repoUrl.trim());
}

/** Null while none is typed. */
export function credentialOf({ repoUrl, username, secret }: Omit<HostDraft, "kind">): CredentialInput | null {
  if (secret.trim() === "") return null;
  if (isSsh(repoUrl)) return { privateKey: secret };
  return { token: secret.trim(), ...(username.trim() === "" ? {} : { username: username.trim() }) };
}
