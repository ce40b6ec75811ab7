import Link from "next/link";
import { skillHref } from "@/components/skills/skill-words";
import { Badge } from "@/components/ui/badge";
import { Notice } from "@/components/ui/notice";
import { Section } from "@/components/ui/section";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";
import type { System } from "@/lib/client/system";

type Item = System["unserved"]["items"][number];

/** The approved skills that no worker may serve, and which variable of which worker opens what is missing. */
export function Unserved({ unserved: { items, more } }: Pick<System, "unserved">) {
  if (items.length === 0) return null;
  const own = items.filter(({ builtin }) => !builtin).length;
  return (
    <Section
      title="Approved skills that no worker may serve"
      description="Their reviewers granted more than the operator of any worker allows. Set the variable on the worker and start it again, or approve the skill with less. What each permission means stands in docs/permissions.md."
    >
      {own > 0 ? (
        <Notice tone="warning" title={`Runs of ${own} approved ${own === 1 ? "skill are" : "skills are"} refused`}>
          They end with the code worker_does_not_allow until an operator allows what is missing.
        </Notice>
      ) : null}
      <Table label="Approved skills that no worker may serve">
        <TableHead>
          <tr>
            <TableHeader>Skill</TableHeader>
            <TableHeader>Missing</TableHeader>
            <TableHeader>Variable</TableHeader>
            <TableHeader>Worker</TableHeader>
          </tr>
        </TableHead>
        <TableBody>
          {items.flatMap((item) =>
            item.missing.map((missing, index) => (
              <TableRow key={`${item.skill.id} ${missing.worker.id} ${missing.what}`}>
                <TableCell className="py-2">{index === 0 ? <Name item={item} /> : null}</TableCell>
                <TableCell className="[overflow-wrap:anywhere]">{missing.what}</TableCell>
                <TableCell>
                  {missing.variable === null ? (
                    <span className="text-muted-foreground">none opens it</span>
                  ) : (
                    <code className="break-all font-mono text-xs">{missing.variable}</code>
                  )}
                </TableCell>
                <TableCell>
                  {missing.worker.name}
                  {missing.worker.saysAllows ? null : (
                    <span className="block text-muted-foreground text-xs">
                      of an older release, which does not say what it allows
                    </span>
                  )}
                </TableCell>
              </TableRow>
            )),
          )}
        </TableBody>
      </Table>
      {more > 0 ? <p className="text-13 text-muted-foreground">There are {more} more.</p> : null}
    </Section>
  );
}

function Name({ item: { skill, builtin } }: { item: Item }) {
  return (
    <span className="inline-flex flex-wrap items-center gap-1.5">
      <Link href={skillHref(skill)} className="font-medium hover:underline">
        {skill.name}
      </Link>
      {builtin ? <Badge>Built-in</Badge> : null}
    </span>
  );
}
