import Link from "next/link";
import { DiagnosticList } from "@/components/code/diagnostic-list";
import { RevealedText } from "@/components/code/revealed-text";
import { Badge } from "@/components/ui/badge";
import { Section } from "@/components/ui/section";
import { StateChip } from "@/components/ui/state-chip";
import type { ImportAnswer } from "@/lib/skills/schema";
import { displayName, reviewHref, skillHref } from "../skill-words";

type ImportResultProps = { answer: ImportAnswer; onLeave: () => void };

/** What is stored now, and what comes next for each skill. */
export function ImportResult({ answer, onLeave }: ImportResultProps) {
  return (
    <>
      <ul className="divide-y">
        {answer.skills.map((skill) => (
          <li key={skill.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-3 first:pt-0">
            <Link href={skillHref(skill)} onClick={onLeave} className="min-w-0 truncate font-medium hover:underline">
              <RevealedText text={displayName(skill)} />
            </Link>
            {skill.pendingVersion ? (
              <>
                <Badge tone="warning">Waits for review</Badge>
                <Link
                  href={reviewHref(skill.id, skill.pendingVersion.digest)}
                  onClick={onLeave}
                  className="ml-auto text-13 text-primary underline underline-offset-2"
                >
                  Open review
                </Link>
              </>
            ) : skill.currentVersion ? (
              <StateChip state="approved" />
            ) : (
              <Badge>No version in review</Badge>
            )}
          </li>
        ))}
      </ul>
      {answer.diagnostics.length > 0 ? (
        <Section title="What was noticed" level={3} className="gap-1">
          <DiagnosticList diagnostics={answer.diagnostics} />
        </Section>
      ) : null}
    </>
  );
}
