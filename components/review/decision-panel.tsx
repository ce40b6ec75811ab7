import dynamic from "next/dynamic";
import { type RefObject, useRef, useState } from "react";
import { FoldCounter } from "@/components/code/hidden-notice";
import { PipelinePlan } from "@/components/pipelines/pipeline-plan";
import { GrantList } from "@/components/skills/permission-list";
import { DecisionList } from "@/components/skills/versions/decision-list";
import { ProvenanceList } from "@/components/skills/versions/provenance-list";
import { useMe } from "@/components/state/use-me";
import { Notice } from "@/components/ui/notice";
import { Section } from "@/components/ui/section";
import { SkeletonRows } from "@/components/ui/skeleton";
import { isScript } from "@/lib/skill-format/executables";
import type { Skill } from "@/lib/skills/schema";
import type { Version } from "@/lib/skills/versions/schema";
import { noWorkerReason, useWorkerAllowances } from "./allowance-labels";
import { CapabilityCard } from "./capability-card";
import { slotsOf } from "./credential-grants";
import { DecidedPanel } from "./decided-panel";
import { DecisionForm } from "./decision-form";
import { EntryEditor } from "./entry-editor";
import { GrantsEditor } from "./grants-editor";
import { initialTerms, type Terms, timeLimitOf } from "./terms";
import type { Unread } from "./use-review-state";

const AnalysisPanel = dynamic(() => import("./analysis-panel").then((module) => module.AnalysisPanel), {
  ssr: false,
  loading: () => <SkeletonRows label="Loading dry runs" />,
});

const PackagesPanel = dynamic(() => import("./packages-panel").then((module) => module.PackagesPanel), {
  ssr: false,
  loading: () => <SkeletonRows label="Loading packages" />,
});

const ForeignReviews = dynamic(() => import("./foreign-reviews").then((module) => module.ForeignReviews), {
  ssr: false,
});

const SshSignatures = dynamic(() => import("./ssh-signatures").then((module) => module.SshSignatures), { ssr: false });

const NearCopies = dynamic(() => import("@/components/skills/near-copies").then((module) => module.NearCopies), {
  ssr: false,
});

type DecisionPanelProps = {
  skill: Skill;
  version: Version;
  unread: readonly Unread[];
  onUnread: (item: Unread) => void;
  onOpen: (path: string, line?: number) => void;
  commentRef: RefObject<HTMLTextAreaElement | null>;
  approveRef: RefObject<HTMLButtonElement | null>;
  rejectRef: RefObject<HTMLButtonElement | null>;
};

export function DecisionPanel({
  skill,
  version,
  unread,
  onUnread,
  onOpen,
  commentRef,
  approveRef,
  rejectRef,
}: DecisionPanelProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const [edited, setEdited] = useState<Terms | null>(null);
  const [isChanging, setChanging] = useState(false);
  const [filled, setFilled] = useState(0);
  const isReviewer = ["reviewer", "admin"].includes(useMe()?.user.role ?? "user");
  const start = initialTerms(version);
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
            <Notice tone="warning" title="Approval no longer valid">
              <p>{version.returnedReason}</p>
            </Notice>
          )}
          <Section title="Capabilities" level={3} className="gap-2">
            <CapabilityCard
              groups={version.capabilities}
              credentials={(isDeciding ? terms.grants : version.grants)?.credentials}
              entry={isDeciding ? terms.entry : version.entry}
              onOpen={onOpen}
            />
          </Section>
          <Section title="Packages" level={3} className="gap-2">
            <PackagesPanel skillId={skill.id} digest={version.digest} onOpen={onOpen} />
          </Section>
          {isReviewer ? (
            <Section title="Dry run" level={3} className="gap-2">
              <AnalysisPanel
                skillId={skill.id}
                digest={version.digest}
                onUse={
                  isDeciding && !areOthersTerms
                    ? (used) => {
                        setEdited({ ...terms, grants: { ...terms.grants, ...used } });
                        setFilled(filled + 1);
                      }
                    : undefined
                }
              />
            </Section>
          ) : null}
          <PipelinePlan version={version} level={3} />
          <Section title="Permissions" level={3} className="gap-2">
            {isDeciding ? (
              <>
                {areOthersTerms ? (
                  <Notice tone="warning" title="Another reviewer has already approved this version">
                    <p>The next approval must be for the same class, permissions and script.</p>
                  </Notice>
                ) : null}
                <GrantList grants={terms.grants} timeLimitSeconds={timeLimitOf(version, terms.grants)} />
                {areOthersTerms ? null : (
                  <details>
                    <summary className="w-fit cursor-pointer rounded-sm text-13 underline underline-offset-2">
                      Change permissions
                    </summary>
                    <div className="mt-3">
                      <GrantsEditor
                        key={filled}
                        value={terms.grants}
                        onChange={(grants) => setEdited({ ...terms, grants })}
                        tools={manifest.allowedTools ?? []}
                        slots={slotsOf(version.capabilities)}
                        maxTimeLimitSeconds={version.maxTimeLimitSeconds}
                        hasScripts={version.files.some(
                          ({ path, mode }) => path !== manifest.entry && isScript({ path, mode }),
                        )}
                      />
                    </div>
                  </details>
                )}
              </>
            ) : (
              <GrantList
                grants={version.grants ?? version.declaredGrants}
                timeLimitSeconds={version.timeLimitSeconds}
              />
            )}
            <NoWorkerNotice skill={skill} version={version} terms={isDeciding ? terms : undefined} />
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
          <Section title="Downloads" level={3} className="gap-2">
            <VersionDownloads version={version} />
          </Section>
          {state === "approved" ? <SshSignatures version={version} /> : null}
          <NearCopies of={{ skillId: skill.id, digest: version.digest }} />
          {isReviewer ? <ForeignReviews skillId={skill.id} digest={version.digest} /> : null}
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
          unread={unread}
          onUnread={onUnread}
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
        <DecidedPanel skill={skill} version={version} onChangeTerms={() => setChanging(true)} />
      )}
    </>
  );
}

/** Whether the reviewer can choose an entry script: the files have scripts but declare no entry. */
function mayHaveEntry({ manifest, files }: Version): boolean {
  return manifest.entry === null && manifest.kind !== "pipeline" && files.some(isScript);
}

type NotServedProps = {
  skill: Pick<Skill, "scope">;
  version: Version;
  /** Terms of the pending decision; else those of the version. */
  terms?: Terms | undefined;
};

function NoWorkerNotice({ skill, version, terms }: NotServedProps) {
  const workers = useWorkerAllowances();
  const isRun = version.manifest.entry !== null || (terms?.entry ?? null) !== null;
  const isChanged = terms !== undefined && JSON.stringify(terms.grants) !== JSON.stringify(version.grants);
  const ofTerms = isRun && isChanged && workers ? noWorkerReason(workers, terms.grants, skill.scope) : null;
  const reason = isChanged ? ofTerms : version.notServed;
  if (reason === null) return null;
  return (
    <Notice tone="warning" title="No worker can run this version now">
      <p>{reason}</p>
      {terms ? <p>You can still approve it. Its runs are refused until a worker’s operator allows them.</p> : null}
    </Notice>
  );
}

/** Files about a version for other programs: its attestation, its approval and its bill of materials. */
export function VersionDownloads({ version }: { version: Version }) {
  const { digest, skillId, state } = version;
  const files = [
    ...(state === "approved"
      ? [
          { name: "attestation", ending: "attestation.json", label: "Attestation (in-toto)" },
          { name: "approval", ending: "approval.json", label: "Approval with its signatures" },
        ]
      : []),
    { name: "bill-of-materials", ending: "cdx.json", label: "Bill of materials (CycloneDX)" },
  ];
  return (
    <ul className="flex flex-col gap-1 text-13">
      {files.map(({ name, ending, label }) => (
        <li key={name}>
          <a
            className="rounded-sm underline underline-offset-2"
            href={`/api/skills/${skillId}/versions/${digest}/${name}`}
            download={`${digest.slice(0, 12)}.${ending}`}
          >
            {label}
          </a>
        </li>
      ))}
    </ul>
  );
}
