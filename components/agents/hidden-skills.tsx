import Link from "next/link";
import { RevealedText } from "@/components/code/hidden-notice";
import { Section } from "@/components/ui/section";
import type { AgentView } from "@/lib/agent/preamble/schema";

/** Why skills that are switched on are not offered, in plain words. */
const hiddenReasonLabels: Record<AgentView["hidden"][number]["reason"], string> = {
  unlisted: "An admin took it off the list",
  unapproved: "No version of it is approved",
  persona: "The persona keeps it away",
  mode: "The persona’s permission mode refuses its class",
  scope: "The token may not run skills",
  confirmation: "A person has to confirm it",
  pipeline: "A step of it cannot be called",
  override: "An admin hides it from agents",
  requirements: "What it requires cannot be read",
  runtime: "Something it requires is missing",
  schema: "The schema of its arguments is invalid",
  name: "Another skill comes first under its name",
  "model-invocation": "Only people start it",
  keyword: "No keyword of it was said",
};

/** What is not offered, by reason; each name leads to who sees that skill and why not. */
export function HiddenSkills({ hidden }: { hidden: AgentView["hidden"] }) {
  const total = hidden.reduce((sum, { count }) => sum + count, 0);
  return (
    <Section
      title="Hidden"
      description={
        total === 0
          ? "Everything that is switched on is offered."
          : `${total} ${total === 1 ? "skill that is" : "skills that are"} switched on and not offered.`
      }
    >
      {total === 0 ? null : (
        <ul className="divide-y rounded-md border text-13">
          {hidden.map(({ reason, count, skills }) => (
            <li key={reason} className="px-3 py-2">
              <p className="flex justify-between gap-3">
                <span className="font-medium">{hiddenReasonLabels[reason]}</span>
                <span className="tabular-nums">{count}</span>
              </p>
              {skills.length > 0 ? (
                <p className="mt-0.5 flex flex-wrap gap-x-3 gap-y-1 text-xs">
                  {skills.map(({ id, name, why }) => (
                    <Link
                      key={id}
                      href={`/skills/${id}?tab=access`}
                      title={why}
                      className="inline-block min-h-6 break-all py-1 text-primary hover:underline"
                    >
                      <RevealedText text={name} />
                    </Link>
                  ))}
                  {count > skills.length ? (
                    <span className="py-1 text-muted-foreground">and {count - skills.length} more</span>
                  ) : null}
                </p>
              ) : null}
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
