import { useMutation, useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { type ReactNode, useState } from "react";
import { errorText } from "@/components/state/describe-error";
import { useMe } from "@/components/state/use-me";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
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
  const { adopt } = useAccessActions(skill);
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
  const [isAsking, setAsking] = useState(false);
  const { publish: send } = useAccessActions(skill);
  const { may, published } = publish;
  if (!may && !published) return null;
  return (
    <>
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
            <Button size="sm" onClick={() => setAsking(true)}>
              {published ? "Publish again" : "Publish"}
            </Button>
          ) : null
        }
      />
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={`Publish ${displayName(skill)}?`}
        description="The same files go to review as a skill of the organisation. Yours stays as it is, and comes first for you."
        confirmLabel="Hand to review"
        onConfirm={() => send.mutateAsync()}
      />
    </>
  );
}

function Pin({ skill }: { skill: Skill }) {
  const { patch } = useAccessActions(skill);
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
  const { patch } = useAccessActions(skill);
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
  const [isAsking, setAsking] = useState(false);
  const { patch } = useAccessActions(skill);
  const name = displayName(skill);
  return (
    <>
      <Row
        text={skill.listed ? "Take it away from everybody, at once." : "It is off the list: nobody can use it."}
        action={
          <Button size="sm" onClick={() => setAsking(true)}>
            {skill.listed ? "Unlist" : "Put back"}
          </Button>
        }
      />
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={skill.listed ? `Take ${name} off the list?` : `Put ${name} back on the list?`}
        description={
          skill.listed
            ? "Nobody can use it, and running agents are refused at their next call. You can put it back."
            : "Whoever could use it before can use it again."
        }
        confirmLabel={skill.listed ? "Unlist" : "Put back"}
        tone={skill.listed ? "danger" : "primary"}
        onConfirm={() => patch.mutateAsync({ listed: !skill.listed })}
      />
    </>
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

/** What people do about who uses a skill. */
function useAccessActions(skill: Skill) {
  const queryClient = useQueryClient();
  const router = useRouter();
  const { toast } = useToast();
  const name = displayName(skill);
  const onSettled = () => queryClient.invalidateQueries({ queryKey: skillsKey });
  const fail = (title: string) => (error: Error) => toast({ tone: "danger", title, description: errorText(error) });

  const adopt = useMutation({
    mutationFn: async (adopted: boolean): Promise<unknown> => (adopted ? adoptSkill(skill.id) : unadoptSkill(skill.id)),
    onSuccess: (_, adopted) => toast({ title: adopted ? `${name} is adopted.` : `${name} is no longer adopted.` }),
    onSettled,
    onError: fail(`${name} stays as it was.`),
  });
  const publish = useMutation({
    mutationFn: () => publishSkill(skill.id),
    onSuccess: (made) =>
      toast({
        title: `${name} waits for review.`,
        action: { label: "Open it", onClick: () => router.push(skillHref(made)) },
      }),
    onSettled,
  });
  const patch = useMutation({
    mutationFn: (input: PatchSkillInput) => patchSkill(skill.id, input),
    onSettled,
    onError: fail(`${name} stays as it was.`),
  });
  return { adopt, publish, patch };
}
