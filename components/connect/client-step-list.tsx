import { CodeBlock } from "@/components/ui/code-block";
import { Notice } from "@/components/ui/notice";
import type { Connection } from "@/lib/client/connect";
import { clientSteps, type MadeSecrets } from "./client-steps";
import type { ClientKey } from "./clients";

/** Clients that bring no credentials of their own: they see public skills, or what a capability URL covers. */
const UNSIGNED: readonly ClientKey[] = [
  "claude-code",
  "codex",
  "gemini-cli",
  "opencode",
  "openclaw",
  "skills",
  "git",
  "curl",
];

type ClientStepListProps = { client: ClientKey; connection: Connection; made: MadeSecrets };

export function ClientStepList({ client, connection, made }: ClientStepListProps) {
  const isHidden = connection.skills > 0 && connection.publicSkills < connection.skills && made.address === null;
  return (
    <>
      {isHidden && UNSIGNED.includes(client) ? (
        <Notice>{sayHidden(connection)} Make a capability URL, and it takes its place in the commands.</Notice>
      ) : null}
      <ol className="flex flex-col gap-6">
        {clientSteps(client, connection, made).map((step) => (
          <li key={step.label} className="flex min-w-0 flex-col gap-2">
            <div>
              <h2 className="text-sm">{step.title}</h2>
              {step.text ? <p className="text-13 text-muted-foreground">{step.text}</p> : null}
            </div>
            <CodeBlock code={step.code} label={step.label} />
          </li>
        ))}
      </ol>
    </>
  );
}

function sayHidden({ skills, publicSkills }: Connection): string {
  if (skills === 1) return "This skill is not public, so a client that does not sign in does not see it.";
  if (publicSkills === 0)
    return `None of these ${skills} skills is public: a client that does not sign in sees none of them.`;
  return `${publicSkills} of these ${skills} skills ${publicSkills === 1 ? "is" : "are"} public; a client that does not sign in sees no others.`;
}
