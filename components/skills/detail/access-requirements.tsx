import { CircleCheck, CircleX } from "lucide-react";
import { RevealedText } from "@/components/code/revealed-text";
import { CodeBlock } from "@/components/ui/code-block";
import { Section } from "@/components/ui/section";
import type { SkillAccess } from "@/lib/skills/access/schema";
import { requirementNames } from "./access-words";

/** What it requires, met or not, and how to install what is missing. */
export function AccessRequirements({ access: { requirements, install } }: { access: SkillAccess }) {
  return (
    <>
      <Section title="Requirements" level={3} className="gap-2">
        {requirements.length === 0 ? (
          <p className="text-13 text-muted-foreground">It requires nothing.</p>
        ) : (
          <ul className="flex flex-col gap-2 text-13">
            {requirements.map(({ kind, name, met, note }) => (
              <li key={`${kind} ${name}`} className="flex items-start gap-2">
                {met ? (
                  <CircleCheck role="img" aria-label="Met" className="mt-0.5 size-4 shrink-0 text-success" />
                ) : (
                  <CircleX role="img" aria-label="Not met" className="mt-0.5 size-4 shrink-0 text-danger" />
                )}
                <span className="min-w-0">
                  {requirementNames[kind]}{" "}
                  <code className="font-mono text-xs [overflow-wrap:anywhere]">
                    <RevealedText text={name} />
                  </code>
                  <span className="block text-muted-foreground text-xs">
                    <RevealedText text={note} />
                  </span>
                </span>
              </li>
            ))}
          </ul>
        )}
      </Section>
      {install.length > 0 ? (
        <Section
          title="To install"
          description="As its author names it. Nothing is installed by itself."
          level={3}
          className="gap-2"
        >
          {install.map(({ kind, label, command }, index) =>
            command === null ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: two ways may say the same
              <p key={index} className="text-13 text-muted-foreground">
                <RevealedText text={label} />: no plain command for {kind}.
              </p>
            ) : (
              // biome-ignore lint/suspicious/noArrayIndexKey: two ways may say the same
              <CodeBlock key={index} code={command} label={label} wrap />
            ),
          )}
        </Section>
      ) : null}
    </>
  );
}
