import { RevealedText } from "@/components/code/revealed-text";
import { CodeBlock } from "@/components/ui/code-block";
import { DefinitionList } from "@/components/ui/definition-list";
import { Section } from "@/components/ui/section";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";
import type { Version } from "@/lib/skills/schema";
import { type SchemaRow, schemaRows } from "./schema-rows";

/** What a pack declares: what it does, what it is called with, how it is run. */
export function ManifestView({ version: { manifest } }: { version: Version }) {
  const rows = manifest.schema ? schemaRows(manifest.schema) : [];
  return (
    <>
      <p className="max-w-prose text-muted-foreground">
        <RevealedText text={manifest.description} />
      </p>
      <Section title="Arguments">
        {rows.length === 0 ? (
          <p className="text-13 text-muted-foreground">It takes no arguments.</p>
        ) : (
          <ArgumentsTable rows={rows} />
        )}
        {manifest.schema ? (
          <details className="text-13">
            <summary className="w-fit cursor-default text-muted-foreground hover:text-foreground">JSON Schema</summary>
            <CodeBlock code={JSON.stringify(manifest.schema, null, 2)} label="JSON Schema" className="mt-2 max-h-96" />
          </details>
        ) : null}
      </Section>
      <Section title="How it runs">
        <DefinitionList
          items={[
            ...(manifest.kind === "pipeline" ? stepWords : programWords(manifest)),
            { term: "Time limit", value: `${manifest.timeoutSeconds ?? 30} seconds` },
          ]}
        />
      </Section>
    </>
  );
}

const stepWords = [
  { term: "Steps", value: "One after the other, each as a run of its own; the first failure ends it" },
  { term: "Result", value: "The result of the last step, and those of all" },
];

function programWords({ entry, resultPreview }: Version["manifest"]) {
  return [
    { term: "Program", value: entry ? <code className="font-mono text-xs">{entry}</code> : "None" },
    { term: "Input", value: "The arguments as one JSON object on standard input" },
    { term: "Result", value: resultPreview ?? "One JSON value on standard output" },
  ];
}

function ArgumentsTable({ rows }: { rows: SchemaRow[] }) {
  return (
    <div className="overflow-hidden rounded-md border">
      <Table label="Arguments">
        <TableHead>
          <tr>
            <TableHeader>Name</TableHeader>
            <TableHeader>Type</TableHeader>
            <TableHeader className="max-sm:hidden">Default</TableHeader>
            <TableHeader>What it is</TableHeader>
          </tr>
        </TableHead>
        <TableBody>
          {rows.map((row) => (
            <TableRow key={row.name} className="align-top">
              <TableCell className="whitespace-nowrap font-mono text-xs">
                <RevealedText text={row.name} />
                {row.isRequired ? <span className="ml-2 font-sans text-muted-foreground">required</span> : null}
              </TableCell>
              <TableCell className="text-muted-foreground">{row.type}</TableCell>
              <TableCell className="font-mono text-xs max-sm:hidden">{row.defaultText ?? ""}</TableCell>
              <TableCell>
                {row.description ? <RevealedText text={row.description} /> : null}
                {row.limits ? <span className="block text-muted-foreground text-xs">{row.limits}</span> : null}
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </div>
  );
}
