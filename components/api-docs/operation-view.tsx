import { useMutation } from "@tanstack/react-query";
import { Link2 } from "lucide-react";
import { useState } from "react";
import { type Column, DataTable } from "@/components/lists/data-table";
import { shellQuote } from "@/components/runs/start/curl-command";
import { errorText } from "@/components/state/describe-error";
import { Badge, type Tone } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { Notice } from "@/components/ui/notice";
import { api } from "@/lib/client/api";
import { accessLabels } from "./error-labels";
import type { ApiOperation, JsonSchema, Parameter } from "./openapi";
import { asSchema, type SchemaRow, schemaRows, typeOf, variantsOf } from "./schema-rows";

const tones: Record<string, Tone> = {
  GET: "neutral",
  POST: "accent",
  PUT: "accent",
  PATCH: "accent",
  DELETE: "danger",
};

/** Reads without parameters in the path can be tried as they are. */
function canTry({ method, path, parameters, responses, ...operation }: ApiOperation): boolean {
  const isJson = Object.values(responses).some(({ content }) => content?.["application/json"] !== undefined);
  const isReachable = ["public", "read", "admin", "session", "review", "write", "run"].includes(operation["x-access"]);
  return (
    method === "GET" && !path.includes("{") && isJson && isReachable && parameters.every(({ required }) => !required)
  );
}

function MethodBadge({ method }: { method: string }) {
  return (
    <Badge tone={tones[method] ?? "neutral"} className="w-16 justify-center font-mono">
      {method}
    </Badge>
  );
}

export function OperationView({ operation, origin }: { operation: ApiOperation; origin: string }) {
  const { id, method, path, summary, parameters, requestBody, responses } = operation;
  return (
    <article
      id={id}
      data-operation
      aria-labelledby={`${id}-title`}
      className="flex scroll-mt-20 flex-col gap-4 border-t pt-6"
    >
      <header className="flex flex-col gap-1.5">
        <div className="flex flex-wrap items-center gap-2">
          <h3 id={`${id}-title`} className="min-w-0 text-sm">
            <TextWithCode text={summary} />
          </h3>
          <a
            href={`#${id}`}
            aria-label={`Link to ${method} ${path}`}
            className="rounded-sm p-1 text-muted-foreground hover:text-foreground"
          >
            <Link2 aria-hidden className="size-3.5" />
          </a>
          {operation["x-agents"] === "open" ? <Badge className="ml-auto">Open to agents</Badge> : null}
          <Badge className={operation["x-agents"] === "open" ? "" : "ml-auto"}>
            {accessLabels[operation["x-access"]] ?? operation["x-access"]}
          </Badge>
        </div>
        <p className="flex flex-wrap items-center gap-2">
          <MethodBadge method={method} />
          <code className="break-all font-mono text-13">{path}</code>
        </p>
      </header>
      {parameters.length > 0 ? (
        <Part title="Parameters">
          <RowsTable rows={parameters.map(parameterRow)} label={`Parameters of ${method} ${path}`} marksRequired />
        </Part>
      ) : null}
      {Object.entries(requestBody?.content ?? {}).map(([type, { schema }]) => (
        <Part key={type} title="Body" note={type}>
          <SchemaTable schema={schema ?? {}} label={`Body of ${method} ${path}`} marksRequired />
        </Part>
      ))}
      {Object.entries(responses)
        .filter(([status]) => /^2\d\d$/.test(status))
        .map(([status, { content }]) => (
          <Part key={status} title={`Answer ${status}`} note={content ? undefined : answerNote(status)}>
            {Object.entries(content ?? {}).map(([type, { schema }]) => (
              <AnswerFields key={type} schema={schema ?? {}} label={`Answer of ${method} ${path}`} />
            ))}
          </Part>
        ))}
      <CodeBlock code={curlExample(operation, origin)} label="curl" language="sh" />
      {canTry(operation) ? <TryOperation path={path} /> : null}
    </article>
  );
}

/** Rendered when opened: the answers are most of the page, and readers open few of them. */
function AnswerFields({ schema, label }: { schema: JsonSchema; label: string }) {
  const [wasOpened, setWasOpened] = useState(false);
  return (
    <details onToggle={() => setWasOpened(true)}>
      <summary className="cursor-pointer rounded-sm text-13 text-muted-foreground">Fields</summary>
      <div className="mt-2">
        {wasOpened ? <SchemaTable schema={schema} label={label} marksRequired={false} /> : null}
      </div>
    </details>
  );
}

function Part({ title, note, children }: { title: string; note?: string | undefined; children?: React.ReactNode }) {
  return (
    <section aria-label={title} className="flex flex-col gap-2">
      <h4 className="flex items-baseline gap-2 font-medium text-13">
        {title}
        {note ? <span className="font-normal text-muted-foreground text-xs">{note}</span> : null}
      </h4>
      {children}
    </section>
  );
}

function parameterRow({ name, in: place, required, description, schema }: Parameter) {
  const where = place === "query" ? [] : [place === "path" ? "In the path." : "A header."];
  return { name, depth: 0, type: typeOf(schema), required, notes: [...where, ...(description ? [description] : [])] };
}

function answerNote(status: string): string {
  return status === "204" ? "No content" : "Bytes or a stream";
}

type SchemaTableProps = {
  schema: JsonSchema;
  label: string;
  /** False for answers, which always contain all fields. */
  marksRequired: boolean;
};

function SchemaTable({ schema, label, marksRequired }: SchemaTableProps) {
  const variants = variantsOf(schema);
  return (
    <div className="flex flex-col gap-2">
      {variants.map((variant, index) => {
        const rows = schemaRows(variant);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the choices of one schema never move
          <div key={index} className="flex flex-col gap-2">
            {index > 0 ? <p className="text-muted-foreground text-xs">or</p> : null}
            {rows.length === 0 ? (
              <p className="font-mono text-xs">{typeOf(variant)}</p>
            ) : (
              <RowsTable rows={rows} label={label} marksRequired={marksRequired} />
            )}
          </div>
        );
      })}
    </div>
  );
}

type RowsTableProps = { rows: readonly SchemaRow[]; label: string; marksRequired: boolean };

function RowsTable({ rows, label, marksRequired }: RowsTableProps) {
  const columns: readonly Column<SchemaRow>[] = [
    {
      header: "Field",
      headerClassName: "md:w-64",
      cellClassName: "align-baseline font-mono text-xs md:whitespace-nowrap",
      cell: ({ depth, name, required, notes }) => (
        <>
          <span style={{ paddingLeft: `${depth * 16}px` }}>{name}</span>
          {marksRequired && required ? <span className="ml-2 font-sans text-muted-foreground">required</span> : null}
          <span className="block whitespace-normal font-sans text-muted-foreground md:hidden">
            <TextWithCode text={notes.join(" ")} />
          </span>
        </>
      ),
    },
    ...typeAndNotes,
  ];
  return (
    <div className="overflow-hidden rounded-md border">
      <DataTable label={label} rows={rows} columns={columns} />
    </div>
  );
}

const typeAndNotes: readonly Column<SchemaRow>[] = [
  {
    header: "Type",
    headerClassName: "md:w-56",
    cellClassName: "max-w-72 break-words align-baseline font-mono text-muted-foreground text-xs",
    cell: ({ type }) => type,
  },
  {
    header: "Notes",
    className: "max-md:hidden",
    cellClassName: "align-baseline text-xs leading-5",
    cell: ({ notes }) => <TextWithCode text={notes.join(" ")} />,
  },
];

export function curlExample(operation: ApiOperation, origin: string): string {
  const { method, path } = operation;
  const address = `${origin}${path.replace(/\{(\w+)\}/g, (_, name: string) => name.toUpperCase())}`;
  const content = operation.requestBody?.content ?? {};
  const json = content["application/json"]?.schema;
  const lines = [`curl -sS${method === "GET" ? "" : ` -X ${method}`} ${shellQuote(address)}`];
  if (operation["x-access"] !== "public") lines.push(`-H "Authorization: Bearer $${tokenName(operation)}"`);
  if (json) lines.push("-H 'Content-Type: application/json'", `--data-raw ${shellQuote(JSON.stringify(sample(json)))}`);
  else if (content["multipart/form-data"]) lines.push("-F file=@skill.zip");
  return lines.join(" \\\n  ");
}

function tokenName(operation: ApiOperation): string {
  return operation["x-access"] === "worker" ? "SKILLGATE_WORKER_TOKEN" : "SKILLGATE_TOKEN";
}

function sample(schema: JsonSchema, depth = 0): unknown {
  const variant = variantsOf(schema)[0] ?? schema;
  if (variant.default !== undefined) return variant.default;
  if (variant.const !== undefined) return variant.const;
  if (Array.isArray(variant.enum)) return variant.enum[0];
  switch (variant.type) {
    case "object":
      return sampleObject(variant, depth);
    case "array":
      return depth > 4 ? [] : [sample(asSchema(variant.items) ?? {}, depth + 1)];
    case "integer":
    case "number":
      return typeof variant.minimum === "number" && variant.minimum > 0 ? variant.minimum : 1;
    case "boolean":
      return true;
    case "string":
      return variant.format === "date-time"
        ? "2030-01-01T00:00:00Z"
        : variant.format === "email"
          ? "mara@example.org"
          : "…";
    default:
      return {};
  }
}

function sampleObject(schema: JsonSchema, depth: number): Record<string, unknown> {
  const properties = asSchema(schema.properties) ?? {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  const names = Object.keys(properties);
  const shown = names.filter((name) => required.includes(name));
  const picked = shown.length > 0 || depth > 0 ? shown : names.slice(0, 1);
  return Object.fromEntries(picked.map((name) => [name, sample(asSchema(properties[name]) ?? {}, depth + 1)]));
}

export function TextWithCode({ text }: { text: string }) {
  return text.split("`").map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one sentence never move
      <code key={index} className="rounded-sm bg-muted px-1 font-mono text-[0.9em]">
        {part}
      </code>
    ),
  );
}

const MAX_CHARS = 4_000;

/** Sends a GET request as the signed-in person and shows the answer. */
function TryOperation({ path }: { path: string }) {
  const attempt = useMutation({ mutationFn: () => api<unknown>(path, { signInOn401: false }) });
  const text = attempt.isSuccess ? JSON.stringify(attempt.data, null, 2) : "";
  return (
    <div className="flex flex-col gap-2">
      <Button size="sm" className="self-start" pending={attempt.isPending} onClick={() => attempt.mutate()}>
        Try it
      </Button>
      <div aria-live="polite" className="empty:hidden">
        {attempt.isError ? <Notice tone="danger">{errorText(attempt.error)}</Notice> : null}
        {attempt.isSuccess ? (
          <CodeBlock
            label={`Answer of ${path}`}
            language="json"
            code={
              text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}\n… cut off after ${MAX_CHARS} characters` : text
            }
            className="max-h-96"
          />
        ) : null}
      </div>
    </div>
  );
}
