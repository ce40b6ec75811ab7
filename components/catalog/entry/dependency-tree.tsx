import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { RevealedText } from "@/components/code/hidden-notice";
import { errorText } from "@/components/state/describe-error";
import { Badge, type Tone } from "@/components/ui/badge";
import { Notice } from "@/components/ui/notice";
import { Section } from "@/components/ui/section";
import type { Dependency } from "@/lib/catalog/install/schema";
import { dependenciesQuery } from "@/lib/client/catalog";
import { skillHref } from "../../skills/skill-labels";
import { entryHref } from "../catalog-labels";

const states: Record<Dependency["state"], { label: string; tone: Tone }> = {
  listed: { label: "Installed together", tone: "accent" },
  installed: { label: "Installed", tone: "success" },
  missing: { label: "Missing", tone: "danger" },
  blocked: { label: "Not installable", tone: "danger" },
  cycle: { label: "Cycle", tone: "warning" },
};

/** The skills that an entry needs, each below the one that needs it. */
export function DependencyTree({ entryId }: { entryId: string }) {
  const { data, error } = useQuery(dependenciesQuery(entryId));
  if (error) return <p className="text-13 text-danger">{errorText(error)}</p>;
  if (!data || data.dependencies.length === 0) return null;
  return (
    <Section
      title="Dependencies"
      description="Skills that this one needs. They are installed together or not at all; each is reviewed by itself."
      level={3}
      className="gap-2"
    >
      <ul className="flex flex-col gap-1 text-13">
        {data.dependencies.map((one, at) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: a skill may be needed at several places of the tree
            key={at}
            className="flex flex-wrap items-center gap-x-2"
            style={{ paddingInlineStart: `${Math.min(one.depth - 1, 6) * 1.25}rem` }}
          >
            <Name dependency={one} />
            <Badge tone={states[one.state].tone}>{states[one.state].label}</Badge>
            {one.note ? <span className="text-muted-foreground">{one.note}</span> : null}
          </li>
        ))}
      </ul>
      {data.problems.length > 0 ? (
        <Notice tone="warning" title="It cannot be installed with all that it needs">
          {data.problems.join(" ")}
        </Notice>
      ) : null}
    </Section>
  );
}

function Name({ dependency: { name, entryId, skillId } }: { dependency: Dependency }) {
  const href = skillId !== null ? skillHref({ id: skillId }) : entryId !== null ? entryHref(entryId) : null;
  if (href === null) return <RevealedText text={name} />;
  return (
    <Link href={href} className="text-primary underline underline-offset-2">
      <RevealedText text={name} />
    </Link>
  );
}
