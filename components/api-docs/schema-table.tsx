import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";
import type { JsonSchema } from "./openapi";
import { type SchemaRow, schemaRows, typeOf, variantsOf } from "./schema-rows";
import { Words } from "./words";

type SchemaTableProps = {
  schema: JsonSchema;
  label: string;
  /** Answers hold all their fields; only requests need the mark. */
  marksRequired: boolean;
};

export function SchemaTable({ schema, label, marksRequired }: SchemaTableProps) {
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

export function RowsTable({ rows, label, marksRequired }: RowsTableProps) {
  return (
    <div className="overflow-hidden rounded-md border">
      <Table label={label}>
        <TableHead>
          <tr>
            <TableHeader className="md:w-64">Field</TableHeader>
            <TableHeader className="md:w-56">Type</TableHeader>
            <TableHeader className="max-md:hidden">Notes</TableHeader>
          </tr>
        </TableHead>
        <TableBody>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same name may stand at several places
            <TableRow key={index}>
              <TableCell className="align-baseline font-mono text-xs md:whitespace-nowrap">
                <span style={{ paddingLeft: `${row.depth * 16}px` }}>{row.name}</span>
                {marksRequired && row.required ? (
                  <span className="ml-2 font-sans text-muted-foreground">required</span>
                ) : null}
                <span className="block whitespace-normal font-sans text-muted-foreground md:hidden">
                  <Words text={row.notes.join(" ")} />
                </span>
              </TableCell>
              <TableCell className="max-w-72 break-words align-baseline font-mono text-muted-foreground text-xs">
                {row.type}
              </TableCell>
              <TableCell className="align-baseline text-xs leading-5 max-md:hidden">
                <Words text={row.notes.join(" ")} />
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </div>
  );
}
