"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { RevealedText } from "@/components/code/revealed-text";
import { QueryState } from "@/components/state/query-state";
import { Notice } from "@/components/ui/notice";
import { Section } from "@/components/ui/section";
import { SkeletonRows } from "@/components/ui/skeleton-rows";
import { accessQuery } from "@/lib/client/access";
import type { SkillAccess } from "@/lib/skills/access/schema";
import type { Rival, Skill } from "@/lib/skills/schema";
import { skillHref } from "../skill-words";
import { AccessAgents } from "./access-agents";
import { AccessOverride } from "./access-override";
import { AccessRequirements } from "./access-requirements";
import { AccessSharing } from "./access-sharing";
import { scopeNames } from "./access-words";

/** Who and which agents see the skill, and why not. */
export function AccessTab({ skill }: { skill: Skill }) {
  const query = useQuery(accessQuery(skill.id));
  return (
    <QueryState
      query={query}
      loading={<SkeletonRows rows={6} label="Loading who sees it" />}
      errorTitle="Who sees it could not be loaded."
    >
      {(access) => (
        <div className="grid items-start gap-x-10 gap-y-7 lg:grid-cols-[minmax(0,1fr)_320px]">
          <div className="flex min-w-0 flex-col gap-7">
            <Standing skill={skill} access={access} />
            <Section title="People">
              <p className="text-13">
                <RevealedText text={access.people} />
              </p>
            </Section>
            <AccessAgents access={access} />
          </div>
          <aside aria-label="Requirements and sharing" className="flex min-w-0 flex-col gap-7">
            <AccessSharing skill={skill} access={access} />
            <NameSection access={access} />
            <AccessRequirements access={access} />
            {access.mayUnlist ? <AccessOverride access={access} /> : null}
          </aside>
        </div>
      )}
    </QueryState>
  );
}

/** What keeps it from everybody, before the single agents. */
function Standing({ skill, access }: { skill: Skill; access: SkillAccess }) {
  const failed = access.stages.find(({ passed }) => passed === false);
  if (!skill.listed)
    return (
      <Notice tone="danger" title="Off the list">
        An admin took it away from everybody. Whoever uses it is refused at the next call.
      </Notice>
    );
  if (!failed) return null;
  return (
    <Notice tone="warning" title="No agent is offered this skill">
      <RevealedText text={failed.reason} />
    </Notice>
  );
}

function NameSection({ access: { shadowedBy, shadows, scope } }: { access: SkillAccess }) {
  return (
    <Section title="Its name" level={3} className="gap-2">
      <div className="flex flex-col gap-2 text-13">
        {shadowedBy ? (
          <p>
            To you the name means <RivalLink rival={shadowedBy} />. {shadowedBy.reason}
          </p>
        ) : scope === null ? (
          <p>It lies in none of your scopes: your agents do not find it by name.</p>
        ) : (
          <p>To you the name means this skill, from the scope {scopeNames[scope]}.</p>
        )}
        {shadows.map((rival) => (
          <p key={rival.id} className="text-muted-foreground">
            It takes the name from <RivalLink rival={rival} />. {rival.reason}
          </p>
        ))}
      </div>
    </Section>
  );
}

function RivalLink({ rival }: { rival: Rival }) {
  return (
    <Link href={`${skillHref(rival)}?tab=access`} className="text-primary underline underline-offset-2">
      <RevealedText text={rival.name} /> ({scopeNames[rival.scope]})
    </Link>
  );
}
