import Link from "next/link";
import { useRouter } from "next/navigation";
import type { ReactNode } from "react";
import { ConfirmButton } from "@/components/forms/confirm-button";
import { useAction } from "@/components/forms/use-action";
import { useMe } from "@/components/state/use-me";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Section } from "@/components/ui/section";
import { Switch } from "@/components/ui/switch";
import { useToast } from "@/components/ui/toast";
import { adoptSkill, patchSkill, publishSkill, skillsKey, unadoptSkill } from "@/lib/client/skills";
import type { SkillAccess } from "@/lib/skills/access/schema";
import type { PatchSkillInput, Skill } from "@/lib/skills/schema";
import { canManage, countOf, displayName, lifecycleLabels, skillHref } from "../skill-labels";

type SharingProps = { skill: Skill; access: SkillAccess };

export function AccessSharing({ skill, access }: SharingProps) {
  const me = useMe();
  const isAdmin = me?.user.role === "admin";
  const mayPin = skill.source === "authored" && canManage(skill, me);
  return (
    <>
      <Section title="Your use" level={3} className="gap-3">
        <Adoption skill={skill} access={access} />
        <Publishing skill={skill} access={access} />
        {mayPin ? <Pin skill={skill} /> : null}
      </Section>
      {isAdmin || access.mayUnlist ? (
        <Section title="Administration" level={3} className="gap-3">
          {isAdmin ? <Visibility skill={skill} /> : null}
          {access.mayUnlist ? <Listing skill={skill} /> : null}
        </Section>
      ) : null}
    </>
  );
}

function Adoption({ skill, access: { adoption } }: SharingProps) {
  const { toast } = useToast();
  const name = displayName(skill);
  const adopt = useAction<unknown, boolean>((adopted) => (adopted ? adoptSkill : unadoptSkill)(skill.id), {
    refresh: [skillsKey],
    onDone: (_, adopted) => toast({ title: adopted ? `${name} adopted.` : `${name} is no longer adopted.` }),
    failed: `${name} was not changed.`,
  });
  const { adopted, may, adopters } = adoption;
  const count = adopters > 0 ? `Adopted by ${countOf(adopters, "person").replace("persons", "people")}.` : "";
  if (!adopted && !may) return count ? <p className="text-13 text-muted-foreground">{count}</p> : null;
  return (
    <Row
      text={`${adopted ? "This is one of your own skills. Its approved updates follow." : "Add this skill to your own skills. Its approved updates follow."} ${count}`}
      action={
        <Button size="sm" pending={adopt.isPending} onClick={() => adopt.mutate(!adopted)}>
          {adopted ? "Stop using" : "Adopt"}
        </Button>
      }
    />
  );
}

function Publishing({ skill, access: { publish } }: SharingProps) {
  const router = useRouter();
  const { toast } = useToast();
  const { may, published } = publish;
  if (!may && !published) return null;
  const name = displayName(skill);
  const send = async () => {
    const made = await publishSkill(skill.id);
    toast({
      title: `${name} submitted for review.`,
      action: { label: "Open skill", onClick: () => router.push(skillHref(made)) },
    });
  };
  return (
    <Row
      text={
        published ? (
          <>
            The organisation already has{" "}
            <Link href={skillHref(published)} className="text-primary underline underline-offset-2">
              a skill of this name
            </Link>
            {published.approved ? "." : ", pending review."}
          </>
        ) : (
          "Publish this skill to the organisation. Everyone gets a copy after a reviewer approves it."
        )
      }
      action={
        may ? (
          <ConfirmButton
            title={`Publish ${name}?`}
            description="The files are submitted for review as a skill of the organisation. Your own skill does not change and takes precedence for you."
            confirmLabel="Submit for review"
            tone="primary"
            onConfirm={send}
            refresh={[skillsKey]}
          >
            {published ? "Publish again" : "Publish"}
          </ConfirmButton>
        ) : null
      }
    />
  );
}

function Pin({ skill }: { skill: Skill }) {
  const patch = usePatch(skill);
  return (
    <Row
      text={
        <>
          <label htmlFor="keep-skill">Keep active when unused</label>{" "}
          {skill.lifecycle === "active" ? null : <Badge tone="warning">{lifecycleLabels[skill.lifecycle]}</Badge>}
          <span className="block text-muted-foreground text-xs">
            Unused skills become stale after 30 days and are switched off after 90 days. They are never deleted.
          </span>
        </>
      }
      action={
        <Switch
          id="keep-skill"
          checked={skill.pinned}
          disabled={patch.isPending}
          onCheckedChange={(pinned) => patch.mutate({ pinned })}
        />
      }
    />
  );
}

function Visibility({ skill }: { skill: Skill }) {
  const patch = usePatch(skill);
  return (
    <Row
      text={
        <>
          <label htmlFor="public-skill">Public</label>
          <span className="block text-muted-foreground text-xs">
            Everyone can see and use this skill, also clients that do not sign in.
          </span>
        </>
      }
      action={
        <Switch
          id="public-skill"
          checked={skill.visibility === "public"}
          disabled={patch.isPending}
          onCheckedChange={(isPublic) => patch.mutate({ visibility: isPublic ? "public" : "private" })}
        />
      }
    />
  );
}

function Listing({ skill }: { skill: Skill }) {
  const name = displayName(skill);
  return (
    <Row
      text={
        skill.listed
          ? "Block this skill: no person and no agent can use it until it is unblocked."
          : "This skill is blocked and cannot be used."
      }
      action={
        <ConfirmButton
          className={skill.listed ? "text-danger" : ""}
          title={skill.listed ? `Block ${name}?` : `Unblock ${name}?`}
          description={
            skill.listed
              ? "The skill cannot be used, and the next call of a running agent is refused. You can unblock it."
              : "Everyone who could use this skill before can use it again."
          }
          confirmLabel={skill.listed ? "Block skill" : "Unblock skill"}
          tone={skill.listed ? "danger" : "primary"}
          onConfirm={() => patchSkill(skill.id, { listed: !skill.listed })}
          refresh={[skillsKey]}
        >
          {skill.listed ? "Block skill" : "Unblock skill"}
        </ConfirmButton>
      }
    />
  );
}

function Row({ text, action }: { text: ReactNode; action: ReactNode }) {
  return (
    <div className="flex items-start justify-between gap-3 text-13">
      <div className="min-w-0">{text}</div>
      <div className="shrink-0">{action}</div>
    </div>
  );
}

function usePatch(skill: Skill) {
  return useAction((input: PatchSkillInput) => patchSkill(skill.id, input), {
    refresh: [skillsKey],
    failed: `${displayName(skill)} stays as it was.`,
  });
}
