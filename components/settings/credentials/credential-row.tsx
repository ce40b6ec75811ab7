import Link from "next/link";
import { Button } from "@/components/ui/button";
import { RelativeTime } from "@/components/ui/relative-time";
import { TableCell, TableRow } from "@/components/ui/table";
import type { Credential } from "@/lib/client/credentials";

type CredentialRowProps = { credential: Credential; onRotate: () => void; onDelete: () => void };

export function CredentialRow({ credential, onRotate, onDelete }: CredentialRowProps) {
  const { name, description, usedBy, updatedAt, updatedBy, lastUsedAt } = credential;
  return (
    <TableRow>
      <TableCell className="min-w-40 py-2">
        <p className="font-mono text-xs">{name}</p>
        {description ? <p className="text-muted-foreground text-xs [overflow-wrap:anywhere]">{description}</p> : null}
      </TableCell>
      <TableCell className="min-w-32">
        {usedBy.length === 0 ? <span className="text-muted-foreground">No skill</span> : <Skills usedBy={usedBy} />}
      </TableCell>
      <TableCell muted className="whitespace-nowrap">
        <RelativeTime value={updatedAt} /> by {updatedBy}
      </TableCell>
      <TableCell muted className="whitespace-nowrap">
        {lastUsedAt ? <RelativeTime value={lastUsedAt} /> : "Never"}
      </TableCell>
      <TableCell className="whitespace-nowrap text-right">
        <div className="inline-flex gap-2">
          <Button size="sm" onClick={onRotate} aria-label={`Set a new value of ${name}`}>
            New value
          </Button>
          <Button size="sm" className="text-danger" onClick={onDelete} aria-label={`Delete the credential ${name}`}>
            Delete
          </Button>
        </div>
      </TableCell>
    </TableRow>
  );
}

const SHOWN = 3;

function Skills({ usedBy }: Pick<Credential, "usedBy">) {
  const more = usedBy.length - SHOWN;
  return (
    <>
      {usedBy.slice(0, SHOWN).map(({ id, name }, index) => (
        <span key={id}>
          {index > 0 ? ", " : ""}
          <Link href={`/skills/${id}`} className="rounded-sm underline underline-offset-2">
            {name}
          </Link>
        </span>
      ))}
      {more > 0 ? ` and ${more} more` : ""}
    </>
  );
}
