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
import { adoptSkill, publishSkill, unadoptSkill } from "@/lib/client/access";
import { patchSkill, skillsKey } from "@/lib/client/skills";
import type { SkillAccess } from "@/lib/skills/access/schema";
import type { PatchSkillInput, Skill } from "@/lib/skills/schema";
import { canManage, countOf, displayName, skillHref } from "../skill-labels";

type SharingProps = { skill: Skill; access: SkillAccess };

/** Adopt, publish, unlist, make public, keep: whatever the caller may do of it. */
export function AccessSharing({ skill, access }: SharingProps) {
  const me = useMe();
  const isAdmin = me?.user.role === "admin";
  const mayPin = skill.source === "authored" && canManage(skill, me);
  return (
    <Section title="Sharing" level={3} className="gap-3">
      <Adoption skill={skill} access={access} />
      <Publishing skill={skill} access={access} />
      {mayPin ? <Pin skill={skill} /> : null}
      {isAdmin ? <Visibility skill={skill} /> : null}
      {access.mayUnlist ? <Listing skill={skill} /> : null}
    </Section>
  );
}

function Adoption({ skill, access: { adoption } }: SharingProps) {
  const { toast } = useToast();
  const name = displayName(skill);
  const adopt = useAction<unknown, boolean>((adopted) => (adopted ? adoptSkill : unadoptSkill)(skill.id), {
    refresh: [skillsKey],
    onDone: (_, adopted) => toast({ title: adopted ? `${name} is adopted.` : `${name} is no longer adopted.` }),
    failed: `${name} stays as it was.`,
  });
  const { adopted, may, adopters } = adoption;
  const count = adopters > 0 ? `Adopted by ${countOf(adopters, "person").replace("persons", "people")}.` : "";
  if (!adopted && !may) return count ? <p className="text-13 text-muted-foreground">{count}</p> : null;
  return (
    <Row
      text={`${adopted ? "You use it as a personal skill; it follows what is approved here." : "Adopt it to use it as a personal skill, which follows what is approved here."} ${count}`}
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
      title: `${name} waits for review.`,
      action: { label: "Open it", onClick: () => router.push(skillHref(made)) },
    });
  };
  return (
    <Row
      text={
        published ? (
          <>
            The organisation has{" "}
            <Link href={skillHref(published)} className="text-primary underline underline-offset-2">
              a skill of this name
            </Link>
            {published.approved ? "." : ", which waits for review."}
          </>
        ) : (
          "Publish it, and everybody gets a copy once a reviewer has approved it."
        )
      }
      action={
        may ? (
          <ConfirmButton
            title={`Publish ${name}?`}
            description="The same files go to review as a skill of the organisation. Yours stays as it is, and comes first for you."
            confirmLabel="Hand to review"
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
          <label htmlFor="keep-skill">Keep it when nobody uses it</label>{" "}
          {skill.lifecycle === "active" ? null : <Badge tone="warning">{skill.lifecycle}</Badge>}
          <span className="block text-muted-foreground text-xs">
            Otherwise it goes stale after 30 days and is switched off after 90; never deleted.
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
            Everybody sees and may adopt it, also by doors that ask for no sign-in.
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
      text={skill.listed ? "Take it away from everybody, at once." : "It is off the list: nobody can use it."}
      action={
        <ConfirmButton
          title={skill.listed ? `Take ${name} off the list?` : `Put ${name} back on the list?`}
          description={
            skill.listed
              ? "Nobody can use it, and running agents are refused at their next call. You can put it back."
              : "Whoever could use it before can use it again."
          }
          confirmLabel={skill.listed ? "Unlist" : "Put back"}
          tone={skill.listed ? "danger" : "primary"}
          onConfirm={() => patchSkill(skill.id, { listed: !skill.listed })}
          refresh={[skillsKey]}
        >
          {skill.listed ? "Unlist" : "Put back"}
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
