"use client";

import { type RefObject, useRef, useState } from "react";
import { FoldCounter } from "@/components/code/fold-counter";
import { DecisionList } from "@/components/skills/detail/decision-list";
import { PermissionList } from "@/components/skills/permission-list";
import { ProvenanceList } from "@/components/skills/provenance-list";
import { useMe } from "@/components/state/use-me";
import { ClassChip } from "@/components/ui/class-chip";
import { Section } from "@/components/ui/section";
import type { SkillClass } from "@/lib/skill-format/schema";
import type { Skill, Version, VersionFile } from "@/lib/skills/schema";
import { approvalsOf, classReason } from "./approvals";
import { Decided } from "./decided";
import { DecisionForm } from "./decision-form";

type DecisionPanelProps = {
  skill: Skill;
  version: Version;
  unopened: readonly VersionFile[];
  onOpen: (path: string) => void;
  commentRef: RefObject<HTMLTextAreaElement | null>;
  approveRef: RefObject<HTMLButtonElement | null>;
};

/** What the version may do, who brought it, and the decision, which stays in view below. */
export function DecisionPanel({ skill, version, unopened, onOpen, commentRef, approveRef }: DecisionPanelProps) {
  const me = useMe();
  const scroller = useRef<HTMLDivElement>(null);
  const [chosen, setChosen] = useState<SkillClass>(version.proposedClass);
  const approvals = approvalsOf(version, chosen, me);
  return (
    <>
      <div className="relative min-h-0 flex-1">
        <div
          ref={scroller}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
          tabIndex={0}
          className="flex flex-col gap-6 px-4 py-4 focus-visible:-outline-offset-2 xl:h-full xl:overflow-y-auto"
        >
          <Section title="What it may do" level={3} className="gap-2">
            <PermissionList manifest={version.manifest} files={version.files} />
          </Section>
          {version.state === "pending" ? null : (
            <Section title="Class" level={3} className="gap-2">
              <p className="flex flex-wrap items-center gap-2 text-13" data-fact="">
                <ClassChip value={version.proposedClass} />
                {classReason(version)}
              </p>
            </Section>
          )}
          <Section title="Provenance" level={3} className="gap-2">
            <ProvenanceList version={version} />
          </Section>
          {version.decisions.length > 0 ? (
            <Section title="Decisions" level={3} className="gap-2">
              <div data-fact="">
                <DecisionList decisions={version.decisions} />
              </div>
            </Section>
          ) : null}
        </div>
        <FoldCounter scroller={scroller} selector="[data-fact], dt" noun="fact" />
      </div>
      {version.state === "pending" ? (
        <DecisionForm
          skill={skill}
          version={version}
          chosen={chosen}
          onChoose={setChosen}
          approvals={approvals}
          unopened={unopened}
          onOpen={onOpen}
          commentRef={commentRef}
          approveRef={approveRef}
        />
      ) : (
        <Decided skill={skill} version={version} />
      )}
    </>
  );
}
