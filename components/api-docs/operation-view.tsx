import { Link2 } from "lucide-react";
import { useState } from "react";
import { Badge, type Tone } from "@/components/ui/badge";
import { CodeBlock } from "@/components/ui/code-block";
import { curlExample } from "./curl-example";
import { accessWords } from "./error-words";
import type { ApiOperation, JsonSchema, Parameter } from "./openapi";
import { typeOf } from "./schema-rows";
import { RowsTable, SchemaTable } from "./schema-table";
import { Words } from "./words";

const tones: Record<string, Tone> = {
  GET: "neutral",
  POST: "accent",
  PUT: "accent",
  PATCH: "accent",
  DELETE: "danger",
};

export function MethodBadge({ method }: { method: string }) {
  return (
    <Badge tone={tones[method] ?? "neutral"} className="w-16 justify-center font-mono">
      {method}
    </Badge>
  );
}

type OperationViewProps = { operation: ApiOperation; origin: string };

/** One method of one path. */
export function OperationView({ operation, origin }: OperationViewProps) {
  const { id, method, path, summary, parameters, requestBody, responses } = operation;
  return (
    <article
      id={id}
      data-operation
      aria-labelledby={`${id}-title`}
      className="flex scroll-mt-20 flex-col gap-4 border-t pt-6"
    >
      <header className="flex flex-col gap-1.5">
        <h3 id={`${id}-title`} className="group flex flex-wrap items-center gap-2">
          <MethodBadge method={method} />
          <code className="break-all font-mono text-13">{path}</code>
          <a
            href={`#${id}`}
            aria-label={`Link to ${method} ${path}`}
            className="rounded-sm p-1 text-muted-foreground hover:text-foreground"
          >
            <Link2 aria-hidden className="size-3.5" />
          </a>
          {operation["x-agents"] === "open" ? <Badge className="ml-auto">Open to agents</Badge> : null}
          <Badge className={operation["x-agents"] === "open" ? "" : "ml-auto"}>
            {accessWords[operation["x-access"]] ?? operation["x-access"]}
          </Badge>
        </h3>
        <p>
          <Words text={summary} />
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
      <CodeBlock code={curlExample(operation, origin)} label="curl" />
    </article>
  );
}

/** Made when it is opened: the fields of all answers are most of the page, and few of them are looked at. */
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

type PartProps = { title: string; note?: string | undefined; children?: React.ReactNode };

function Part({ title, note, children }: PartProps) {
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
  return status === "204" ? "Nothing" : "Bytes or a stream";
}
