"use client";

import { type RefObject, useRef, useState } from "react";
import { FoldCounter } from "@/components/code/fold-counter";
import { PipelinePlan } from "@/components/pipelines/pipeline-plan";
import { DecisionList } from "@/components/skills/detail/decision-list";
import { ProvenanceList } from "@/components/skills/provenance-list";
import { Notice } from "@/components/ui/notice";
import { Section } from "@/components/ui/section";
import { isScript } from "@/lib/skill-format/entry/is-script";
import type { Skill } from "@/lib/skills/schema";
import type { Version, VersionFile } from "@/lib/skills/versions/schema";
import { whyNoneServes } from "./allowance-labels";
import { CapabilityCard } from "./capability-card";
import { slotsOf } from "./credential-grants";
import { Decided } from "./decided";
import { DecisionForm } from "./decision-form";
import { EntryEditor } from "./entry-editor";
import { GrantsEditor } from "./grants-editor";
import { GrantsSummary } from "./grants-summary";
import { useWorkerAllowances } from "./use-worker-allowances";
import { startingTerms, type Terms } from "./version-terms";

type DecisionPanelProps = {
  skill: Skill;
  version: Version;
  unopened: readonly VersionFile[];
  onOpen: (path: string, line?: number) => void;
  commentRef: RefObject<HTMLTextAreaElement | null>;
  approveRef: RefObject<HTMLButtonElement | null>;
  rejectRef: RefObject<HTMLButtonElement | null>;
};

/** What the version may do, what it is given, who brought it, and the decision, which stays in view below. */
export function DecisionPanel({
  skill,
  version,
  unopened,
  onOpen,
  commentRef,
  approveRef,
  rejectRef,
}: DecisionPanelProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const [edited, setEdited] = useState<Terms | null>(null);
  const [isChanging, setChanging] = useState(false);
  const start = startingTerms(version);
  const terms = edited ?? start;
  const { approvals, state, manifest } = version;
  const isDeciding = state === "pending" || isChanging || (state === "approved" && approvals.terms !== null);
  const areOthersTerms = approvals.terms !== null;
  return (
    <>
      <div className="relative min-h-0 flex-1">
        <div
          ref={scroller}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
          tabIndex={0}
          className="flex flex-col gap-6 px-4 py-4 focus-visible:-outline-offset-2 xl:h-full xl:overflow-y-auto"
        >
          {version.returnedReason === null ? null : (
            <Notice tone="warning" title="Its approval no longer counts">
              <p>{version.returnedReason}</p>
            </Notice>
          )}
          <Section title="What it may do" level={3} className="gap-2">
            <CapabilityCard
              groups={version.capabilities}
              credentials={(isDeciding ? terms.grants : version.grants)?.credentials}
              entry={isDeciding ? terms.entry : version.entry}
              onOpen={onOpen}
            />
          </Section>
          <PipelinePlan version={version} level={3} />
          <Section title="What it is given" level={3} className="gap-2">
            {isDeciding ? (
              <>
                {areOthersTerms ? (
                  <Notice tone="warning" title="Somebody signed these terms already">
                    <p>The next signature has to be for the same class, the same grants and the same script.</p>
                  </Notice>
                ) : null}
                <GrantsSummary grants={terms.grants} />
                {areOthersTerms ? null : (
                  <details>
                    <summary className="w-fit cursor-pointer rounded-sm text-13 underline underline-offset-2">
                      Change what it is given
                    </summary>
                    <div className="mt-3">
                      <GrantsEditor
                        value={terms.grants}
                        onChange={(grants) => setEdited({ ...terms, grants })}
                        tools={manifest.allowedTools ?? []}
                        slots={slotsOf(version.capabilities)}
                        hasScripts={version.files.some(
                          ({ path, mode }) => path !== manifest.entry && isScript({ path, mode }),
                        )}
                      />
                    </div>
                  </details>
                )}
              </>
            ) : (
              <GrantsSummary grants={version.grants ?? version.declaredGrants} />
            )}
            <NotServed skill={skill} version={version} terms={isDeciding ? terms : undefined} />
          </Section>
          {isDeciding && !areOthersTerms && mayHaveEntry(version) ? (
            <Section title="Make a script runnable" level={3} className="gap-2">
              <EntryEditor
                version={version}
                value={terms.entry}
                onChange={(entry) => setEdited({ ...terms, entry })}
                onOpen={onOpen}
              />
            </Section>
          ) : null}
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
      {isDeciding ? (
        <DecisionForm
          skill={skill}
          version={version}
          terms={terms}
          areGrantsChosen={state === "approved" || areOthersTerms || edited !== null}
          onClass={(chosen) => setEdited({ ...terms, class: chosen })}
          unopened={unopened}
          onOpen={onOpen}
          commentRef={commentRef}
          approveRef={approveRef}
          rejectRef={rejectRef}
          {...(state === "approved"
            ? {
                onCancel: () => {
                  setChanging(false);
                  setEdited(null);
                },
              }
            : {})}
        />
      ) : (
        <Decided skill={skill} version={version} onChangeTerms={() => setChanging(true)} />
      )}
    </>
  );
}

/** Whether a decision can say what its runs start: its files do not, and it brings a script. */
function mayHaveEntry({ manifest, files }: Version): boolean {
  return manifest.entry === null && manifest.kind !== "pipeline" && files.some(isScript);
}

type NotServedProps = {
  skill: Pick<Skill, "scope">;
  version: Version;
  /** What a decision would give; left out, what the version has. */
  terms?: Terms | undefined;
};

/** Says that no worker allows all that a version is granted, before it is signed and after. */
function NotServed({ skill, version, terms }: NotServedProps) {
  const workers = useWorkerAllowances();
  const isRun = version.manifest.entry !== null || (terms?.entry ?? null) !== null;
  const isChanged = terms !== undefined && JSON.stringify(terms.grants) !== JSON.stringify(version.grants);
  const ofTerms = isRun && isChanged && workers ? whyNoneServes(workers, terms.grants, skill.scope) : null;
  const reason = isChanged ? ofTerms : version.notServed;
  if (reason === null) return null;
  return (
    <Notice tone="warning" title="No worker can serve this now">
      <p>{reason}</p>
      {terms ? <p>You can approve it all the same; its runs are refused until an operator allows it.</p> : null}
    </Notice>
  );
}
