"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useMemo } from "react";
import { useCrumbs } from "@/components/shell/crumbs";
import { useMe } from "@/components/state/use-me";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { loadBase, newestVersion } from "@/lib/client/editing";
import { skillQuery } from "@/lib/client/skills";
import type { Skill } from "@/lib/skills/schema";
import { canManage } from "../skills/can-manage";
import { displayName, skillHref } from "../skills/skill-words";
import { EditSkill } from "./edit-skill";
import { EditorSkeleton } from "./editor-skeleton";
import { type DraftOwner, draftStorage, findDraft } from "./model/drafts";
import { fromBase } from "./model/editor-file";
import { fromDraft, initialState } from "./model/editor-state";
import type { EditorInit } from "./use-editor";

/** The editor of one skill, by id or name. */
export function EditSkillPage({ idOrName }: { idOrName: string }) {
  const query = useQuery(skillQuery(idOrName));
  const me = useMe();
  const skill = query.data;
  useCrumbs([
    { label: "My skills", href: "/skills" },
    { label: skill ? displayName(skill) : "Skill", href: skill ? skillHref(skill) : `/skills/${idOrName}` },
    { label: "Edit" },
  ]);
  if (query.error && !skill) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  if (!skill || !me) return <EditorSkeleton />;
  if (!canManage(skill, me)) {
    return (
      <EmptyState
        title="You may read this skill, and not change it"
        description="Its owner and admins edit it; the organisation's skills also reviewers."
        action={
          <Button asChild>
            <Link href={skillHref(skill)}>Open skill</Link>
          </Button>
        }
      />
    );
  }
  return <Started key={skill.id} skill={skill} userId={me.user.id} />;
}

function Started({ skill, userId }: { skill: Skill; userId: string }) {
  const owner = useMemo(() => ({ userId, skillId: skill.id }), [userId, skill.id]);
  const query = useQuery({
    queryKey: ["editing", userId, skill.id],
    queryFn: ({ signal }) => begin(skill, owner, signal),
    // An edit begins once; what happens to the skill meanwhile is told when it is saved.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (query.data) return <EditSkill init={query.data} title={`Edit ${displayName(skill)}`} />;
  if (query.error) {
    const title = "The files could not be loaded.";
    return <ErrorState error={query.error} title={title} onRetry={() => void query.refetch()} />;
  }
  return <EditorSkeleton />;
}

/** The draft in this browser over the version it began with, else the newest version. */
async function begin(skill: Skill, owner: DraftOwner, signal: AbortSignal): Promise<EditorInit> {
  const name = { id: skill.id, name: skill.name, slug: skill.slug };
  const draft = findDraft(draftStorage(), owner);
  const digest = draft?.base ?? (await newestVersion(skill.id, signal))?.digest;
  if (!digest) throw new Error("a skill has at least one version");
  const base = await loadBase(skill.id, digest, signal);
  const state = draft ? fromDraft(draft, base) : initialState(base, base.files.map(fromBase));
  return { state, restoredAt: draft?.savedAt ?? null, owner, skill: name };
}
