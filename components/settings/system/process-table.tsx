import { Badge } from "@/components/ui/badge";
import { RelativeTime } from "@/components/ui/relative-time";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";
import type { System } from "@/lib/client/system";

/** The web processes of an instance that has several. */
export function ProcessTable({ processes }: { processes: System["processes"] }) {
  return (
    <Table label="Web processes">
      <TableHead>
        <tr>
          <TableHeader>Process</TableHeader>
          <TableHeader className="max-md:hidden">Version</TableHeader>
          <TableHeader>Runs since</TableHeader>
        </tr>
      </TableHead>
      <TableBody>
        {processes.map(({ name, host, pid, version, startedAt, isThis }) => (
          <TableRow key={name}>
            <TableCell>
              {host} <span className="text-muted-foreground">{pid}</span> {isThis ? <Badge>answers you</Badge> : null}
            </TableCell>
            <TableCell muted className="max-md:hidden">
              {version}
            </TableCell>
            <TableCell muted>
              <RelativeTime value={startedAt} />
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}
