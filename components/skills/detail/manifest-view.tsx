import { RevealedText } from "@/components/code/hidden-notice";
import { type Column, DataTable } from "@/components/lists/data-table";
import { CodeBlock } from "@/components/ui/code-block";
import { DefinitionList } from "@/components/ui/definition-list";
import { formatLimit } from "@/components/ui/format-time";
import { Section } from "@/components/ui/section";
import type { JsonObject } from "@/lib/skill-format/schema";
import type { Version } from "@/lib/skills/versions/schema";

type SchemaRow = {
  /** `options.depth`, `paths[]`. */
  name: string;
  depth: number;
  type: string;
  isRequired: boolean;
  description: string | null;
  defaultText: string | null;
  limits: string | null;
};

const deepest = 4;

export function ManifestView({ version: { manifest, timeLimitSeconds } }: { version: Version }) {
  const rows = manifest.schema ? schemaRows(manifest.schema) : [];
  return (
    <>
      <p className="max-w-prose text-muted-foreground">
        <RevealedText text={manifest.description} />
      </p>
      <Section title="Arguments">
        {rows.length === 0 ? (
          <p className="text-13 text-muted-foreground">No arguments</p>
        ) : (
          <div className="overflow-hidden rounded-md border">
            <DataTable
              label="Arguments"
              rows={rows}
              rowId={({ name }) => name}
              rowProps={() => ({ className: "align-top" })}
              columns={columns}
            />
          </div>
        )}
        {manifest.schema ? (
          <details className="text-13">
            <summary className="w-fit cursor-default text-muted-foreground hover:text-foreground">JSON Schema</summary>
            <CodeBlock
              code={JSON.stringify(manifest.schema, null, 2)}
              label="JSON Schema"
              language="json"
              className="mt-2 max-h-96"
            />
          </details>
        ) : null}
      </Section>
      <Section title="Execution">
        <DefinitionList
          items={[
            ...(manifest.kind === "pipeline" ? pipelineFacts : programFacts(manifest)),
            { term: "Time limit", value: formatLimit(timeLimitSeconds) },
          ]}
        />
      </Section>
    </>
  );
}

const pipelineFacts = [
  { term: "Steps", value: "Sequential, each as a separate run. The first failure ends the pipeline" },
  { term: "Result", value: "The result of the last step, with the results of all steps" },
];

function programFacts({ entry, resultPreview }: Version["manifest"]) {
  return [
    { term: "Program", value: entry ? <code className="font-mono text-xs">{entry}</code> : "None" },
    { term: "Input", value: "The arguments as one JSON object on standard input" },
    { term: "Result", value: resultPreview ?? "One JSON value on standard output" },
  ];
}

const columns: readonly Column<SchemaRow>[] = [
  {
    header: "Name",
    cellClassName: "font-mono text-xs [overflow-wrap:anywhere] sm:whitespace-nowrap",
    cell: ({ name, isRequired, type, defaultText }) => (
      <>
        <RevealedText text={name} />
        {isRequired ? <span className="ml-2 font-sans text-muted-foreground">required</span> : null}
        <span className="block font-sans text-muted-foreground sm:hidden">
          {type}
          {defaultText === null ? null : `, default ${defaultText}`}
        </span>
      </>
    ),
  },
  { header: "Type", muted: true, className: "max-sm:hidden", cell: ({ type }) => type },
  {
    header: "Default",
    className: "max-sm:hidden",
    cellClassName: "font-mono text-xs",
    cell: ({ defaultText }) => defaultText ?? "",
  },
  {
    header: "Description",
    cell: ({ description, limits }) => (
      <>
        {description ? <RevealedText text={description} /> : null}
        {limits ? <span className="block text-muted-foreground text-xs">{limits}</span> : null}
      </>
    ),
  },
];

/** The properties of a JSON Schema as table rows, nested ones below their object. */
export function schemaRows(schema: JsonObject, prefix = "", depth = 0): SchemaRow[] {
  const properties = asObject(schema.properties) ?? {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(properties).flatMap(([key, value]) => {
    const own = asObject(value) ?? {};
    const name = `${prefix}${key}`;
    const row: SchemaRow = {
      name,
      depth,
      type: typeOf(own),
      isRequired: required.includes(key),
      description: textOf(own.description) ?? textOf(own.title),
      defaultText: own.default === undefined ? null : JSON.stringify(own.default),
      limits: limitsOf(own),
    };
    return depth < deepest ? [row, ...nestedRows(own, name, depth)] : [row];
  });
}

function nestedRows(schema: JsonObject, name: string, depth: number): SchemaRow[] {
  const items = asObject(schema.items);
  if (items?.properties) return schemaRows(items, `${name}[].`, depth + 1);
  return schema.properties ? schemaRows(schema, `${name}.`, depth + 1) : [];
}

function typeOf(schema: JsonObject): string {
  const items = asObject(schema.items);
  if (schema.type === "array") return items ? `list (${typeOf(items)})` : "list";
  if (Array.isArray(schema.type)) {
    return schema.type.flatMap((type) => (typeof type === "string" ? nameOf(type) : [])).join(" or ");
  }
  if (schema.enum !== undefined || schema.const !== undefined) return "choice";
  if (typeof schema.type === "string") return nameOf(schema.type);
  if (schema.oneOf !== undefined || schema.anyOf !== undefined) return "one of several";
  return textOf(schema.$ref)?.split("/").at(-1) ?? "any";
}

const typeNames = new Map([
  ["string", "text"],
  ["integer", "whole number"],
  ["boolean", "yes or no"],
  ["object", "group"],
  ["null", "nothing"],
]);

function nameOf(type: string): string {
  return typeNames.get(type) ?? type;
}

function limitsOf(schema: JsonObject): string | null {
  const parts = [
    Array.isArray(schema.enum) ? schema.enum.map(plainly).join(", ") : null,
    schema.const === undefined ? null : `always ${plainly(schema.const)}`,
    range(schema.minimum, schema.maximum, ""),
    range(schema.minLength, schema.maxLength, "character"),
    range(schema.minItems, schema.maxItems, "item"),
    textOf(schema.format),
    textOf(schema.pattern) && `matches ${textOf(schema.pattern)}`,
  ].filter((part): part is string => Boolean(part));
  return parts.length > 0 ? parts.join("; ") : null;
}

function plainly(value: unknown): string {
  return typeof value === "string" && value !== "" ? value : JSON.stringify(value);
}

function range(from: unknown, to: unknown, noun: string): string | null {
  const [low, high] = [from, to].map((value) => (typeof value === "number" ? value : null));
  const unit = noun === "" ? "" : ` ${noun}${(high ?? low) === 1 ? "" : "s"}`;
  if (low != null && high != null) return `${low} to ${high}${unit}`;
  if (low != null) return `at least ${low}${unit}`;
  return high != null ? `at most ${high}${unit}` : null;
}

function asObject(value: unknown): JsonObject | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
