import { useState } from "react";
import { Checkbox } from "@/components/ui/checkbox";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Label } from "@/components/ui/label";
import { Select } from "@/components/ui/select";
import { Textarea } from "@/components/ui/textarea";
import type { Version } from "@/lib/skills/versions/schema";
import {
  type AllowingWorker,
  allowanceText,
  isOffered,
  refusedGrantTexts,
  useWorkerAllowances,
  type WorkerLimitedGrant,
} from "./allowance-labels";

import { CredentialGrants } from "./credential-grants";
import { linesOf, pathLines, pathsOf } from "./finding-labels";

type Grants = Version["declaredGrants"];
type GrantsEditorProps = {
  value: Grants;
  onChange: (value: Grants) => void;
  /** Scripts it brings that are not its entry. */
  hasScripts: boolean;
  /** Patterns its author lists; those can be given or kept back. */
  tools: readonly string[];
  /** Names of the credentials it asks for. */
  slots: readonly string[];
};

/** What a version is given: every line is part of what is signed. */
export function GrantsEditor({ value, onChange, hasScripts, tools, slots }: GrantsEditorProps) {
  const set = (change: Partial<Grants>) => onChange({ ...value, ...change });
  const workers = useWorkerAllowances();
  const keyed = (kind: WorkerLimitedGrant) => ({ kind, workers, grants: value });
  return (
    <div className="flex flex-col gap-3">
      {tools.length > 0 ? (
        <ToolGrants tools={tools} given={value.tools ?? [...tools]} onChange={(given) => set({ tools: given })} />
      ) : null}
      {hasScripts ? (
        <div className="flex items-start gap-2">
          <Checkbox
            id="grant-scripts"
            checked={value.scripts ?? false}
            onCheckedChange={(checked) => set({ scripts: checked === true })}
          />
          <Label htmlFor="grant-scripts">Agents may read and run the scripts it brings</Label>
        </div>
      ) : null}
      <NetworkGrant
        value={value.network ?? false}
        onChange={(network) => set({ network })}
        isOffered={workers === undefined || isOffered("network", workers)}
      />
      <AllowanceNote {...keyed("network")} />
      <LinesField
        label="Environment variables"
        help="Names, one in each line. The worker passes those that it has and that its operator allows."
        value={(value.env ?? []).join("\n")}
        onChange={(text) => set({ env: linesOf(text) })}
        keyed={keyed("env")}
      />
      <CredentialGrants
        slots={slots}
        given={value.credentials ?? []}
        onChange={(credentials) => set({ credentials })}
      />
      <div className="flex items-start gap-2">
        <Checkbox
          id="grant-workspace"
          checked={value.workspace ?? false}
          onCheckedChange={(checked) => set({ workspace: checked === true ? true : undefined })}
        />
        <Label htmlFor="grant-workspace">A workspace that the runs of a session share, at /workspace</Label>
      </div>
      <LinesField
        label="Paths of the host"
        help="One in each line, with ro or rw before it: “ro /var/log”. A safe version gets read-only ones."
        value={pathLines(value.paths)}
        onChange={(text) => set({ paths: pathsOf(text) })}
        keyed={keyed("paths")}
      />
      <LinesField
        label="Namespaces of the host"
        help="net, pid, ipc, uts, cgroup or user: what the run shares with the host."
        value={(value.namespaces ?? []).join("\n")}
        onChange={(text) => set({ namespaces: linesOf(text) as Grants["namespaces"] })}
        keyed={keyed("namespaces")}
      />
      <LinesField
        label="Linux capabilities"
        help="Such as CAP_NET_RAW, one in each line."
        value={(value.capabilities ?? []).join("\n")}
        onChange={(text) => set({ capabilities: linesOf(text) })}
        keyed={keyed("capabilities")}
      />
      <Field label="Time limit in seconds">
        <Input
          type="number"
          min={1}
          max={3600}
          value={value.timeoutSeconds ?? 30}
          onChange={(event) => set({ timeoutSeconds: Number(event.target.value) })}
        />
      </Field>
    </div>
  );
}

type Workers = readonly AllowingWorker[] | undefined;

type WorkerLimits = { kind: WorkerLimitedGrant; workers: Workers; grants: Grants };

/** What no worker gives is not offered; what stands there already can still be taken out. */
function mayChange({ kind, workers, grants }: WorkerLimits): boolean {
  const given = grants[kind];
  return workers === undefined || (Array.isArray(given) && given.length > 0) || isOffered(kind, workers);
}

/** Which worker allows what, and which does not allow what is given. */
function AllowanceNote({ kind, workers, grants }: WorkerLimits) {
  if (workers === undefined) return null;
  const allowed = allowanceText(kind, workers);
  const refusals = refusedGrantTexts(kind, workers, grants);
  if (allowed === "" && refusals.length === 0) return null;
  return (
    <div className="-mt-1.5 flex flex-col gap-0.5 text-xs leading-4 [overflow-wrap:anywhere]">
      {allowed === "" ? null : <p className="text-muted-foreground">{allowed}</p>}
      {refusals.map((sentence) => (
        <p key={sentence} className="text-warning">
          {sentence}
        </p>
      ))}
    </div>
  );
}

type ToolGrantsProps = { tools: readonly string[]; given: readonly string[]; onChange: (given: string[]) => void };

function ToolGrants({ tools, given, onChange }: ToolGrantsProps) {
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="mb-1.5 font-medium text-13">Tools agents may use without asking</legend>
      {tools.map((tool, index) => (
        <div key={tool} className="flex items-start gap-2">
          <Checkbox
            id={`grant-tool-${index}`}
            checked={given.includes(tool)}
            onCheckedChange={(checked) =>
              onChange(tools.filter((other) => (other === tool ? checked === true : given.includes(other))))
            }
          />
          <Label htmlFor={`grant-tool-${index}`} className="font-mono font-normal text-xs [overflow-wrap:anywhere]">
            {tool}
          </Label>
        </div>
      ))}
    </fieldset>
  );
}

type NetworkGrantProps = {
  value: boolean | string[];
  onChange: (value: boolean | string[]) => void;
  isOffered: boolean;
};

function NetworkGrant({ value, onChange, isOffered: canGive }: NetworkGrantProps) {
  const mode = Array.isArray(value) ? "hosts" : value ? "any" : "none";
  return (
    <>
      <Field label="Network">
        <Select
          value={mode}
          onChange={(event) => onChange(event.target.value === "hosts" ? [] : event.target.value === "any")}
          options={[
            { value: "none", label: "None" },
            { value: "hosts", label: "Only these hosts", disabled: !canGive },
            { value: "any", label: "Any address that the worker’s operator allows", disabled: !canGive },
          ]}
        />
      </Field>
      {Array.isArray(value) ? (
        <LinesField
          label="Hosts"
          help="One in each line: example.org, *.example.org, example.org:8443."
          value={value.join("\n")}
          onChange={(text) => onChange(linesOf(text))}
        />
      ) : null}
    </>
  );
}

type LinesProps = {
  label: string;
  help: string;
  value: string;
  onChange: (text: string) => void;
  /** What the operators of workers have a say in, which stands below. */
  keyed?: WorkerLimits;
};

/** Keeps what is typed, line ends included, until another value comes from outside. */
function LinesField({ label, help, value, onChange, keyed }: LinesProps) {
  const [text, setText] = useState(value);
  return (
    <>
      <Field label={label} help={help} optional>
        <Textarea
          rows={Math.min(4, Math.max(1, text.split("\n").length))}
          className="font-mono text-xs"
          spellCheck={false}
          disabled={keyed !== undefined && !mayChange(keyed)}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            onChange(event.target.value);
          }}
        />
      </Field>
      {keyed ? <AllowanceNote {...keyed} /> : null}
    </>
  );
}
