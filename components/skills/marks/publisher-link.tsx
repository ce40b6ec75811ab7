import { BadgeCheck } from "lucide-react";
import Link from "next/link";
import { RevealedText } from "@/components/code/revealed-text";
import { cn } from "@/components/ui/cn";
import type { PublisherRef } from "@/lib/skills/community/schema";

type PublisherLinkProps = { publisher: PublisherRef; className?: string };

/** Under whose name a skill is offered, with the mark that an admin gave. */
export function PublisherLink({ publisher, className }: PublisherLinkProps) {
  return (
    <span className={cn("inline-flex items-center gap-1", className)}>
      <Link href={`/publishers/${publisher.handle}`} className="underline-offset-2 hover:underline">
        <RevealedText text={publisher.name || publisher.handle} />
      </Link>
      {publisher.verified ? <VerifiedMark /> : null}
    </span>
  );
}

export function VerifiedMark() {
  const words = "Verified: an admin confirmed that it is who its name says";
  return <BadgeCheck role="img" aria-label={words} className="size-3.5 shrink-0 text-primary" />;
}
