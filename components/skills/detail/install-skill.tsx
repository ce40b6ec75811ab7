"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { CodeBlock } from "@/components/ui/code-block";
import { Section } from "@/components/ui/section";
import { connectionQuery } from "@/lib/client/connect";
import type { Skill } from "@/lib/skills/schema";

/** The shortest way to install a skill that is approved and on; the others stand on the Connect page. */
export function InstallSkill({ skill }: { skill: Skill }) {
  const isOffered = skill.enabled && skill.listed && skill.currentVersion !== null;
  const { data } = useQuery({ ...connectionQuery({ skill: skill.id }), enabled: isOffered });
  // Built-ins, for one, are run by workers and offered to nobody else.
  if (!isOffered || data?.skills === 0) return null;
  return (
    <Section title="Install" level={3} className="gap-2">
      {data ? <CodeBlock code={`npx skills add ${data.url}${data.scope.path}`} label="npx skills" /> : null}
      {data && data.publicSkills === 0 ? (
        <p className="text-13 text-muted-foreground">It is not public: a client signs in, or has a capability URL.</p>
      ) : null}
      <p className="text-13">
        <Link
          href={`/connect?skill=${encodeURIComponent(skill.id)}`}
          className="text-primary underline underline-offset-2"
        >
          Connect a client
        </Link>
      </p>
    </Section>
  );
}
