import Link from "next/link";
import { RevealedText } from "@/components/code/revealed-text";
import { Section } from "@/components/ui/section";
import type { Skill, SkillInstructions } from "@/lib/skills/schema";
import { fileHref } from "./file-href";

type ResourceListProps = { skill: Pick<Skill, "id">; instructions: SkillInstructions };

/** The files beside the instructions, which an agent may ask for. */
export function ResourceList({ skill, instructions: { resources, digest } }: ResourceListProps) {
  return (
    <Section title="Files it may read" level={3} className="gap-1.5">
      {resources.length === 0 ? (
        <p className="text-13 text-muted-foreground">None beside the instructions.</p>
      ) : (
        <ul className="flex flex-col gap-1 text-13">
          {resources.map((path) => (
            <li key={path} className="min-w-0">
              <Link
                href={fileHref(skill.id, path, digest)}
                className="font-mono text-primary text-xs hover:underline [overflow-wrap:anywhere]"
              >
                <RevealedText text={path} />
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
