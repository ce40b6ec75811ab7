"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { entryHref } from "@/components/catalog/catalog-labels";
import { FileDiffView } from "@/components/code/file-diff";
import { RevealedText } from "@/components/code/hidden-notice";
import { reviewHref } from "@/components/skills/skill-labels";
import { QueryState } from "@/components/state/query-state";
import { Button } from "@/components/ui/button";
import { Dialog, DialogContent, DialogTrigger } from "@/components/ui/dialog";
import { RelativeTime } from "@/components/ui/relative-time";
import { Section } from "@/components/ui/section";
import type { NearCopy } from "@/lib/catalog/overlap/schema";
import { type NearCopiesOf, nearCopiesQuery, nearCopyDiffQuery } from "@/lib/client/evidence";

const states: Record<NonNullable<NearCopy["skill"]>["state"], string> = {
  draft: "a draft",
  pending: "pending review",
  approved: "approved",
  changes_requested: "changes requested",
  rejected: "rejected",
  revoked: "revoked",
};

/** Skills and catalog entries whose SKILL.md nearly equals this one; nothing without any. Heavy: load it apart. */
export function NearCopies({ of }: { of: NearCopiesOf }) {
  const { data } = useQuery(nearCopiesQuery(of));
  if (!data || data.items.length === 0) return null;
  return (
    <Section title="Near copies" level={3} className="gap-2">
      <ul className="flex flex-col gap-2 text-13">
        {data.items.map((copy) => (
          <Copy key={`${copy.skill?.id ?? copy.entry?.id}`} of={of} copy={copy} />
        ))}
      </ul>
    </Section>
  );
}

function Copy({ of, copy }: { of: NearCopiesOf; copy: NearCopy }) {
  const { skill, entry, differs } = copy;
  const name = skill?.name ?? entry?.name ?? "";
  const href = skill ? reviewHref(skill.id, skill.digest) : entryHref(entry?.id ?? "");
  return (
    <li className="flex flex-col items-start gap-0.5" data-fact="">
      <p>
        {differs === 0 ? "Same words as" : `${differs} % differs from`}{" "}
        <Link href={href} className="font-medium underline underline-offset-2">
          <RevealedText text={name} />
        </Link>
        {skill ? (
          <>
            , version {skill.number}, {states[skill.state]}{" "}
            {skill.decidedAt === null ? null : <RelativeTime value={skill.decidedAt} />}
          </>
        ) : (
          <>
            {" "}
            in the catalog (<RevealedText text={entry?.source ?? ""} />)
          </>
        )}
      </p>
      <Dialog>
        <DialogTrigger asChild>
          <Button size="sm" variant="ghost" className="-ml-2" aria-label={`Show the difference from ${name}`}>
            Show difference
          </Button>
        </DialogTrigger>
        <DialogContent title={`Difference from ${name}`} size="lg">
          <Difference of={of} hash={copy.hash} />
        </DialogContent>
      </Dialog>
    </li>
  );
}

function Difference({ of, hash }: { of: NearCopiesOf; hash: string }) {
  const query = useQuery(nearCopyDiffQuery(of, hash));
  return (
    <QueryState query={query} errorTitle="The texts could not be compared.">
      {(file) => <FileDiffView file={file} />}
    </QueryState>
  );
}
