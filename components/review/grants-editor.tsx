import { useState } from "react";
import { Checkbox } from "@/components/ui/checkbox";
import { Field, Label } from "@/components/ui/field";
import { formatLimit } from "@/components/ui/format-time";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { Textarea } from "@/components/ui/textarea";
import type { WorkerAllowanceItem } from "@/lib/client/workers";
import type { Version } from "@/lib/skills/versions/schema";
import {
  allowanceText,
  isOffered,
  refusedGrantTexts,
  useWorkerAllowances,
  type WorkerLimitedGrant,
} from "./allowance-labels";

import { CredentialGrants } from "./credential-grants";
import { linesOf, pathLines, pathsOf } from "./terms";

type Grants = Version["declaredGrants"];
type GrantsEditorProps = {
  value: Grants;
  onChange: (value: Grants) => void;
  hasScripts: boolean;
  /** Tool patterns that the author requests. */
  tools: readonly string[];
  slots: readonly string[];
  /** The server’s limit, which caps the granted one. */
  maxTimeLimitSeconds: number;
};

/** Edits the grants of a version; the approval signs all of them. */
export function GrantsEditor({ value, onChange, hasScripts, tools, slots, maxTimeLimitSeconds }: GrantsEditorProps) {
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
          <Label htmlFor="grant-scripts">Agents may read and run its scripts</Label>
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
        help="One name per line. The worker passes those that are set and that its operator allows."
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
        <Label htmlFor="grant-workspace">Workspace at /workspace, shared by the runs of a session</Label>
      </div>
      <LinesField
        label="Host paths"
        help="One per line, with ro (read-only) or rw (read and write) first: “ro /var/log”. Safe versions get read-only paths."
        value={pathLines(value.paths)}
        onChange={(text) => set({ paths: pathsOf(text) })}
        keyed={keyed("paths")}
      />
      <LinesField
        label="Host namespaces"
        help="Namespaces that the run shares with the host, one per line: net, pid, ipc, uts, cgroup or user."
        value={(value.namespaces ?? []).join("\n")}
        onChange={(text) => set({ namespaces: linesOf(text) as Grants["namespaces"] })}
        keyed={keyed("namespaces")}
      />
      <LinesField
        label="Linux capabilities"
        help="One per line, such as CAP_NET_RAW."
        value={(value.capabilities ?? []).join("\n")}
        onChange={(text) => set({ capabilities: linesOf(text) })}
        keyed={keyed("capabilities")}
      />
      <Field
        label="Time limit (seconds)"
        help={`At most ${formatLimit(maxTimeLimitSeconds)} on this server; a higher limit counts as that.`}
      >
        <Input
          type="number"
          min={1}
          max={3600}
          value={value.timeoutSeconds ?? ""}
          onChange={(event) => set({ timeoutSeconds: Number(event.target.value) })}
        />
      </Field>
    </div>
  );
}

type Workers = readonly WorkerAllowanceItem[] | undefined;

type WorkerLimits = { kind: WorkerLimitedGrant; workers: Workers; grants: Grants };

/** Whether the field is enabled: a worker allows the grant, or it has values to remove. */
function mayChange({ kind, workers, grants }: WorkerLimits): boolean {
  const given = grants[kind];
  return workers === undefined || (Array.isArray(given) && given.length > 0) || isOffered(kind, workers);
}

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
      <legend className="mb-1.5 font-medium text-13">Tools that agents use without asking</legend>
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
          help="One per line: example.org, *.example.org, example.org:8443."
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
  keyed?: WorkerLimits;
};

/** Keeps the typed text, including line ends that the parsed value drops. */
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
