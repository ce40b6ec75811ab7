import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { useState } from "react";
import { readArgs } from "@/components/runs/start/args-draft";
import { errorText } from "@/components/state/describe-error";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Field, Label } from "@/components/ui/field";
import { IconButton } from "@/components/ui/icon-button";
import { Input } from "@/components/ui/input";
import { Notice } from "@/components/ui/notice";
import { Select } from "@/components/ui/select";
import { Textarea } from "@/components/ui/textarea";
import { entryProposalsQuery } from "@/lib/client/reviews";
import type { EntryProposalList } from "@/lib/review/schema";
import type { ScriptEntry } from "@/lib/skill-format/entry/script-entry";
import type { Version } from "@/lib/skills/versions/schema";
import { exampleCommand, type ParamRow, rowsOf, withRows } from "./entry-draft";

type EntryEditorProps = {
  version: Version;
  value: ScriptEntry | null;
  onChange: (value: ScriptEntry | null) => void;
  onOpen: (path: string, line?: number) => void;
};

type Proposal = EntryProposalList["items"][number];

export function EntryEditor({ version, value, onChange, onOpen }: EntryEditorProps) {
  const proposals = useQuery(entryProposalsQuery(version.skillId, version.digest));
  // Remounts the form when another entry is chosen; until then it keeps the typed text.
  const [round, setRound] = useState(0);
  if (proposals.error) return <p className="text-13 text-danger">{errorText(proposals.error)}</p>;
  if (!proposals.data) {
    return (
      <p role="status" className="text-13 text-muted-foreground">
        Loading scripts
      </p>
    );
  }
  const { items } = proposals.data;
  if (items.length === 0) return <p className="text-13 text-muted-foreground">This version contains no scripts.</p>;
  const choose = (entry: ScriptEntry | null) => {
    setRound(round + 1);
    onChange(entry);
  };
  const chosen = items.find(({ entry }) => entry.path === value?.path);
  const { carriedEntry: carried } = version;
  return (
    <div className="flex flex-col gap-3">
      {carried && carried.file !== "unchanged" ? (
        <Notice tone="warning" title={`Version ${carried.from.number} runs ${carried.entry.path}`}>
          <p>
            {carried.file === "changed"
              ? "The file changed in this version."
              : "This version does not contain the file."}
          </p>
          {carried.file === "changed" && value === null ? (
            <Button size="sm" className="mt-2" onClick={() => choose(carried.entry)}>
              Keep the previous settings
            </Button>
          ) : null}
        </Notice>
      ) : null}
      <Field label="Script" help="People and agents can run it with arguments once the version is approved.">
        <Select
          value={value?.path ?? ""}
          onChange={(event) => choose(items.find(({ entry }) => entry.path === event.target.value)?.entry ?? null)}
          options={[
            { value: "", label: "None" },
            ...items.map(({ entry, interpreter }) => ({
              value: entry.path,
              label: interpreter === null ? `${entry.path} (no interpreter found)` : entry.path,
              disabled: interpreter === null,
            })),
          ]}
        />
      </Field>
      {value ? (
        <>
          {chosen ? <ProposalSource proposal={chosen} onOpen={onOpen} /> : null}
          <EntryForm key={`${value.path} ${round}`} value={value} onChange={onChange} />
          <div className="flex flex-col gap-1">
            <p className="text-muted-foreground text-xs">Example command</p>
            <code className="block rounded-md bg-muted p-2 font-mono text-xs [overflow-wrap:anywhere]">
              {exampleCommand(value, chosen?.interpreter ?? [])}
            </code>
          </div>
        </>
      ) : null}
    </div>
  );
}

const confidences: Record<Proposal["confidence"], string> = {
  declared: "Parameters read from its argument parser",
  described: "Parameters read from a description",
  guessed: "Parameters guessed",
};

function ProposalSource({ proposal, onOpen }: { proposal: Proposal; onOpen: EntryEditorProps["onOpen"] }) {
  const { confidence, readFrom, line, note, entry } = proposal;
  return (
    <p className="text-13 text-muted-foreground">
      {confidences[confidence]}
      {readFrom === "nothing" ? "" : ` (${readFrom})`}
      {line === null ? null : (
        <>
          {" "}
          <button
            type="button"
            onClick={() => onOpen(entry.path, line)}
            className="rounded-sm font-mono text-xs underline underline-offset-2 hover:text-foreground"
          >
            {entry.path}:{line}
          </button>
        </>
      )}
      . {note}
    </p>
  );
}

function EntryForm({ value, onChange }: { value: ScriptEntry; onChange: (value: ScriptEntry) => void }) {
  const [rows, setRows] = useState(() => rowsOf(value));
  const [schemaText, setSchemaText] = useState<string | null>(null);
  const [schemaError, setSchemaError] = useState<string | undefined>();
  const change = (next: ParamRow[]) => {
    setRows(next);
    setSchemaText(null);
    onChange(withRows(value, next));
  };
  const changeSchema = (text: string) => {
    setSchemaText(text);
    const schema = objectOf(text);
    setSchemaError(schema === null ? "Enter a JSON object. The last valid schema is kept." : undefined);
    if (schema === null) return;
    const next = { ...value, schema };
    setRows(rowsOf(next));
    onChange(next);
  };
  const isArgv = value.call.style === "argv";
  return (
    <div className="flex flex-col gap-3">
      <Field label="Arguments passed as">
        <Select
          value={value.call.style}
          onChange={(event) => {
            if (event.target.value === "argv") change(rows);
            else onChange({ ...value, call: { style: "stdin-json" } });
          }}
          options={[
            { value: "argv", label: "Command-line arguments" },
            { value: "stdin-json", label: "JSON on standard input" },
          ]}
        />
      </Field>
      {isArgv ? <ParamRows rows={rows} onChange={change} /> : null}
      <Field label="Output format">
        <Select
          value={value.output}
          onChange={(event) => onChange({ ...value, output: event.target.value === "json" ? "json" : "text" })}
          options={[
            { value: "text", label: "Text" },
            { value: "json", label: "One JSON value" },
          ]}
        />
      </Field>
      <details>
        <summary className="w-fit cursor-pointer rounded-sm text-13 underline underline-offset-2">
          JSON Schema of the arguments
        </summary>
        <Field label="Schema" className="mt-2" error={schemaError}>
          <Textarea
            rows={10}
            spellCheck={false}
            className="font-mono text-xs"
            value={schemaText ?? JSON.stringify(value.schema, null, 2)}
            onChange={(event) => changeSchema(event.target.value)}
          />
        </Field>
      </details>
    </div>
  );
}

const NEW_ROW: ParamRow = {
  ...{ name: "", passed: "option", flag: "--", type: "string", default: "", help: "", param: {}, property: {} },
  isList: false,
  isRequired: false,
};

function ParamRows({ rows, onChange }: { rows: ParamRow[]; onChange: (rows: ParamRow[]) => void }) {
  const set = (index: number, part: Partial<ParamRow>) =>
    onChange(rows.map((row, at) => (at === index ? { ...row, ...part } : row)));
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1.5 font-medium text-13">Parameters</legend>
      {rows.length === 0 ? <p className="text-13 text-muted-foreground">No parameters</p> : null}
      {rows.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: names change while typing, which must not lose the focus
        <fieldset key={index} className="flex flex-col gap-2 rounded-md border p-3">
          <legend className="sr-only">{row.name || "New parameter"}</legend>
          <div className="flex items-end gap-2">
            <Field label="Name" className="flex-1">
              <Input value={row.name} maxLength={100} onChange={(event) => set(index, { name: event.target.value })} />
            </Field>
            <IconButton
              label={`Remove ${row.name || "this parameter"}`}
              size="sm"
              onClick={() => onChange(rows.filter((_, at) => at !== index))}
            >
              <X aria-hidden />
            </IconButton>
          </div>
          <div className="grid grid-cols-2 gap-2">
            <Field label="Passed as">
              <Select
                value={row.passed}
                onChange={(event) => set(index, { passed: event.target.value as ParamRow["passed"] })}
                options={[
                  { value: "option", label: "Option with a value" },
                  { value: "flag", label: "Flag without a value" },
                  { value: "positional", label: "Positional argument" },
                  { value: "input", label: "Text on standard input" },
                ]}
              />
            </Field>
            {row.passed === "option" || row.passed === "flag" ? (
              <Field label="Flag">
                <Input
                  value={row.flag}
                  maxLength={100}
                  spellCheck={false}
                  className="font-mono text-xs"
                  onChange={(event) => set(index, { flag: event.target.value })}
                />
              </Field>
            ) : null}
            {row.passed === "flag" || row.passed === "input" ? null : (
              <Field label="Type">
                <Select
                  value={row.type}
                  onChange={(event) => set(index, { type: event.target.value as ParamRow["type"] })}
                  options={[
                    { value: "string", label: "Text" },
                    { value: "integer", label: "Whole number" },
                    { value: "number", label: "Number" },
                    { value: "boolean", label: "True or false" },
                  ]}
                />
              </Field>
            )}
            {row.passed === "flag" ? null : (
              <Field label="Default" optional>
                <Input value={row.default} onChange={(event) => set(index, { default: event.target.value })} />
              </Field>
            )}
          </div>
          <Field label="Help" optional>
            <Input value={row.help} maxLength={1024} onChange={(event) => set(index, { help: event.target.value })} />
          </Field>
          <div className="flex flex-wrap gap-x-4 gap-y-1">
            <Check
              id={`entry-required-${index}`}
              label="Required"
              checked={row.isRequired}
              onChange={(isRequired) => set(index, { isRequired })}
            />
            {row.passed === "option" || row.passed === "positional" ? (
              <Check
                id={`entry-list-${index}`}
                label="List of values"
                checked={row.isList}
                onChange={(isList) => set(index, { isList })}
              />
            ) : null}
            {row.passed === "positional" ? (
              <Check
                id={`entry-dash-${index}`}
                label="May begin with a dash"
                checked={row.param.mayBeOption ?? false}
                onChange={(isSet) => set(index, { param: { ...row.param, mayBeOption: isSet ? true : undefined } })}
              />
            ) : null}
          </div>
        </fieldset>
      ))}
      <Button size="sm" className="w-fit" onClick={() => onChange([...rows, NEW_ROW])}>
        Add parameter
      </Button>
    </fieldset>
  );
}

type CheckProps = { id: string; label: string; checked: boolean; onChange: (checked: boolean) => void };

function Check({ id, label, checked, onChange }: CheckProps) {
  return (
    <div className="flex items-center gap-2">
      <Checkbox id={id} checked={checked} onCheckedChange={(value) => onChange(value === true)} />
      <Label htmlFor={id}>{label}</Label>
    </div>
  );
}

function objectOf(text: string): Record<string, unknown> | null {
  const read = readArgs(text);
  return "value" in read ? read.value : null;
}
