import { useQuery, useQueryClient } from "@tanstack/react-query";
import { CircleCheck, CircleX } from "lucide-react";
import Link from "next/link";
import { RevealedText } from "@/components/code/hidden-notice";
import { useAction } from "@/components/forms/use-action";
import { QueryState } from "@/components/state/query-state";
import { CodeBlock } from "@/components/ui/code-block";
import { Field } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { Section } from "@/components/ui/section";
import { Select } from "@/components/ui/select";
import { SkeletonRows } from "@/components/ui/skeleton";
import { accessQuery, eligibilityQuery, setEligibility, skillsKey } from "@/lib/client/skills";
import type { SkillAccess } from "@/lib/skills/access/schema";
import type { Rival, Skill } from "@/lib/skills/schema";
import { skillHref } from "../skill-labels";
import { AccessAgents, requirementNames, scopeNames } from "./access-agents";
import { AccessSharing } from "./access-sharing";

const choices = [
  { value: "", label: "When its requirements are met" },
  { value: "always", label: "Even if requirements are missing" },
  { value: "hidden", label: "Never" },
] as const;

const overrideTexts: Record<NonNullable<SkillAccess["override"]>["by"], string> = {
  name: "Matched by the skill’s name",
  folder: "Matched by the skill’s folder",
  location: "Matched by the skill’s location",
};

type Choice = (typeof choices)[number]["value"];

export function AccessTab({ skill }: { skill: Skill }) {
  const query = useQuery(accessQuery(skill.id));
  return (
    <QueryState
      query={query}
      loading={<SkeletonRows rows={6} label="Loading access" />}
      errorTitle="The access list could not be loaded."
    >
      {(access) => (
        <div className="grid items-start gap-x-10 gap-y-7 lg:grid-cols-[minmax(0,1fr)_320px]">
          <div className="flex min-w-0 flex-col gap-7">
            <AccessNotice skill={skill} access={access} />
            <Section title="People">
              <p className="text-13">
                <RevealedText text={access.people} />
              </p>
            </Section>
            <AccessAgents access={access} />
          </div>
          <aside aria-label="Requirements and sharing" className="flex min-w-0 flex-col gap-7">
            <AccessSharing skill={skill} access={access} />
            <NameSection name={skill.name} access={access} />
            <AccessRequirements access={access} />
            {access.mayUnlist ? <AccessOverride access={access} /> : null}
          </aside>
        </div>
      )}
    </QueryState>
  );
}

function AccessNotice({ skill, access }: { skill: Skill; access: SkillAccess }) {
  const failed = access.stages.find(({ passed }) => passed === false);
  if (!skill.listed)
    return (
      <Notice tone="danger" title="Blocked">
        An admin blocked this skill. It cannot be used, and the next call of a running agent is refused.
      </Notice>
    );
  if (!failed) return null;
  return (
    <Notice tone="warning" title="Not offered to agents">
      <RevealedText text={failed.reason} />
    </Notice>
  );
}

function NameSection({ name, access: { shadowedBy, shadows, scope } }: { name: string; access: SkillAccess }) {
  return (
    <Section title="Name" level={3} className="gap-2">
      <div className="flex flex-col gap-2 text-13">
        {shadowedBy ? (
          <p>
            For you, this name means another skill: <RivalLink rival={shadowedBy} />. {shadowedBy.reason}
          </p>
        ) : scope === null ? (
          <p>Not among your skills: your agents cannot find this skill by name.</p>
        ) : (
          <p>
            When you or your agents ask for <code className="font-mono text-xs">{name}</code>, they get this skill.
          </p>
        )}
        {shadows.map((rival) => (
          <p key={rival.id} className="text-muted-foreground">
            Takes precedence over <RivalLink rival={rival} />. {rival.reason}
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

/** An admin’s override of the requirements; keeps capabilities that were set through the API. */
function AccessOverride({ access }: { access: SkillAccess }) {
  const { override, address } = access;
  const queryClient = useQueryClient();
  const { data: policy } = useQuery(eligibilityQuery);
  const key = override?.key ?? address.source;
  const entry = policy?.entries[key];
  const { mutate, isPending, variables } = useAction(
    async (choice: Choice) => {
      const { entries, config } = await queryClient.fetchQuery({ ...eligibilityQuery, staleTime: 0 });
      const { [key]: before, ...others } = entries;
      const kept = before?.requires ? { requires: before.requires } : {};
      const next = {
        ...kept,
        ...(choice === "hidden" ? { enabled: false } : choice === "always" ? { always: true } : {}),
      };
      return setEligibility({ config, entries: Object.keys(next).length > 0 ? { ...others, [key]: next } : others });
    },
    { refresh: [eligibilityQuery.queryKey, skillsKey], failed: "The override was not changed." },
  );
  const stored: Choice = entry?.enabled === false ? "hidden" : entry?.always === true ? "always" : "";
  return (
    <Section title="Offer to agents" level={3} className="gap-2">
      <Field label="When" help={override ? overrideTexts[override.by] : undefined}>
        <Select
          value={isPending ? variables : stored}
          disabled={policy === undefined || isPending}
          onChange={(event) => mutate(event.target.value as Choice)}
          options={choices.map(({ value, label }) => ({
            value,
            label: value === "" && access.requirements.length === 0 ? "Always: it has no requirements" : label,
          }))}
        />
      </Field>
    </Section>
  );
}

function AccessRequirements({ access: { requirements, install } }: { access: SkillAccess }) {
  return (
    <>
      <Section title="Requirements" level={3} className="gap-2">
        {requirements.length === 0 ? (
          <p className="text-13 text-muted-foreground">No requirements</p>
        ) : (
          <ul className="flex flex-col gap-2 text-13">
            {requirements.map(({ kind, name, met, note }) => (
              <li key={`${kind} ${name}`} className="flex items-start gap-2">
                {met ? (
                  <CircleCheck role="img" aria-label="Met" className="mt-0.5 size-4 shrink-0 text-success" />
                ) : (
                  <CircleX role="img" aria-label="Not met" className="mt-0.5 size-4 shrink-0 text-danger" />
                )}
                <span className="min-w-0">
                  {requirementNames[kind]}{" "}
                  <code className="font-mono text-xs [overflow-wrap:anywhere]">
                    <RevealedText text={name} />
                  </code>
                  <span className="block text-muted-foreground text-xs">
                    <RevealedText text={note} />
                  </span>
                </span>
              </li>
            ))}
          </ul>
        )}
      </Section>
      {install.length > 0 ? (
        <Section
          title="Installation"
          description="As declared by the author. Skillgate installs nothing automatically."
          level={3}
          className="gap-2"
        >
          {install.map(({ kind, label, command }, index) =>
            command === null ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: entries may be equal
              <p key={index} className="text-13 text-muted-foreground">
                <RevealedText text={label} />
                (no command known for {kind})
              </p>
            ) : (
              // biome-ignore lint/suspicious/noArrayIndexKey: entries may be equal
              <CodeBlock key={index} code={command} label={label} language="sh" wrap />
            ),
          )}
        </Section>
      ) : null}
    </>
  );
}
