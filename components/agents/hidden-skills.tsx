import Link from "next/link";
import { RevealedText } from "@/components/code/hidden-notice";
import { Section } from "@/components/ui/section";
import type { AgentView } from "@/lib/agent/preamble/schema";

const hiddenReasonLabels: Record<AgentView["hidden"][number]["reason"], string> = {
  unlisted: "Blocked by an admin",
  unapproved: "No approved version",
  persona: "Denied by the persona",
  mode: "Class refused by the persona’s permission mode",
  scope: "Token without the scope “run”",
  confirmation: "Needs a person’s confirmation",
  pipeline: "A pipeline step cannot be called",
  override: "Hidden from agents by an admin",
  requirements: "Unreadable requirements",
  runtime: "Missing requirements",
  schema: "Invalid arguments schema",
  name: "Another skill has precedence for its name",
  "model-invocation": "For people only",
  keyword: "No keyword in the message",
};

/** Enabled skills that are not offered, by reason. Each name links to the Access tab of the skill. */
export function HiddenSkills({ hidden }: { hidden: AgentView["hidden"] }) {
  const total = hidden.reduce((sum, { count }) => sum + count, 0);
  return (
    <Section
      title="Hidden"
      description={
        total === 0
          ? "All skills that are switched on are offered."
          : `${total} ${total === 1 ? "skill that is" : "skills that are"} switched on ${total === 1 ? "is" : "are"} not offered.`
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
