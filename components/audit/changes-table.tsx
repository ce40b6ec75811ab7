import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";

type Json = Record<string, unknown>;

/** The `before` and `after` of an event, when it has both. */
export function readChanges(data: Json): { field: string; before: unknown; after: unknown }[] {
  const { before, after } = data;
  if (!isObject(before) || !isObject(after)) return [];
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return fields.map((field) => ({ field, before: before[field], after: after[field] }));
}

export function ChangesTable({ changes }: { changes: ReturnType<typeof readChanges> }) {
  return (
    <div className="overflow-hidden rounded-md border">
      <Table label="Changes">
        <TableHead>
          <tr>
            <TableHeader>Field</TableHeader>
            <TableHeader>Before</TableHeader>
            <TableHeader>After</TableHeader>
          </tr>
        </TableHead>
        <TableBody>
          {changes.map(({ field, before, after }) => (
            <TableRow key={field}>
              <TableCell>{field}</TableCell>
              <TableCell muted className="break-all font-mono text-xs">
                {textOf(before)}
              </TableCell>
              <TableCell className="break-all font-mono text-xs">{textOf(after)}</TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </div>
  );
}

function textOf(value: unknown): string {
  return value === undefined ? "–" : typeof value === "string" ? value : JSON.stringify(value);
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
