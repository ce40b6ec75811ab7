import Link from "next/link";
import { Badge } from "@/components/ui/badge";
import { Digest } from "@/components/ui/digest";
import type { Conversation } from "@/lib/client/playground";

/** What a conversation was begun with, in a few lines; it cannot change any more. */
export function ConversationFacts({ conversation }: { conversation: Conversation }) {
  const { endpoint, model, persona, skills, limits } = conversation;
  return (
    <div className="flex flex-col gap-1 border-b pb-3 text-13 text-muted-foreground">
      <p>
        <code className="break-all font-mono text-xs">{model}</code> of {endpoint.name}
        {persona.name === null ? null : (
          <>
            , acting as{" "}
            <Link href={`/agents/view?persona=${persona.id}`} className="text-primary underline underline-offset-2">
              {persona.name}
            </Link>
          </>
        )}
        . At most {limits.steps} {limits.steps === 1 ? "step" : "steps"}, {limits.tokens.toLocaleString("en-GB")} tokens
        and {limits.seconds} seconds an answer.
      </p>
      {skills.length === 0 ? (
        <p>All skills that this persona is offered.</p>
      ) : (
        <ul aria-label="Chosen skills" className="flex flex-wrap gap-x-3 gap-y-1">
          {skills.map(({ skillId, versionDigest, name, isPending }) => (
            <li key={skillId} className="inline-flex items-center gap-1.5">
              <Link href={`/skills/${encodeURIComponent(skillId)}`} className="text-foreground hover:underline">
                {name ?? "A deleted skill"}
              </Link>
              {versionDigest === null ? null : <Digest value={versionDigest} label="digest of the chosen version" />}
              {isPending ? <Badge tone="warning">Does not serve: playbook only</Badge> : null}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
