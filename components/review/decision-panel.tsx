import { type RefObject, useRef, useState } from "react";
import { FoldCounter } from "@/components/code/hidden-notice";
import { PipelinePlan } from "@/components/pipelines/pipeline-plan";
import { Fact, Name } from "@/components/skills/permission-list";
import { DecisionList } from "@/components/skills/versions/decision-list";
import { ProvenanceList } from "@/components/skills/versions/provenance-list";
import { Notice } from "@/components/ui/notice";
import { Section } from "@/components/ui/section";
import { isScript } from "@/lib/skill-format/executables";
import type { Skill } from "@/lib/skills/schema";
import type { Version, VersionFile } from "@/lib/skills/versions/schema";
import { noWorkerReason, useWorkerAllowances } from "./allowance-labels";

import { CapabilityCard } from "./capability-card";
import { slotsOf } from "./credential-grants";
import { DecidedPanel } from "./decided-panel";
import { DecisionForm } from "./decision-form";
import { EntryEditor } from "./entry-editor";
import { initialTerms, type Terms } from "./finding-labels";
import { GrantsEditor } from "./grants-editor";

type DecisionPanelProps = {
  skill: Skill;
  version: Version;
  unopened: readonly VersionFile[];
  onOpen: (path: string, line?: number) => void;
  commentRef: RefObject<HTMLTextAreaElement | null>;
  approveRef: RefObject<HTMLButtonElement | null>;
  rejectRef: RefObject<HTMLButtonElement | null>;
};

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
          <PipelinePlan version={version} level={3} />
          <Section title="Permissions" level={3} className="gap-2">
            {isDeciding ? (
              <>
                {areOthersTerms ? (
                  <Notice tone="warning" title="Another reviewer has already approved this version">
                    <p>The next approval must be for the same class, permissions and script.</p>
                  </Notice>
                ) : null}
                <GrantsSummary grants={terms.grants} />
                {areOthersTerms ? null : (
                  <details>
                    <summary className="w-fit cursor-pointer rounded-sm text-13 underline underline-offset-2">
                      Change permissions
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

type Grants = Version["declaredGrants"];

/** The grants in sentences; access to the host is highlighted. */
function GrantsSummary({ grants }: { grants: Grants }) {
  const { network, scripts, tools, env, credentials, paths, namespaces, capabilities, workspace, timeoutSeconds } =
    grants;
  return (
    <ul className="flex flex-col gap-1 text-13">
      {network === true ? (
        <Fact tone="warning">Network: any address that the worker’s operator allows</Fact>
      ) : Array.isArray(network) && network.length > 0 ? (
        <Fact tone="warning">
          Network: only <Name>{network.join(", ")}</Name>
        </Fact>
      ) : (
        <Fact>No network</Fact>
      )}
      {env && env.length > 0 ? (
        <Fact tone="warning">
          Environment: <Name>{env.join(", ")}</Name>
        </Fact>
      ) : (
        <Fact>No environment variables</Fact>
      )}
      {credentials?.map(({ slot, credential, as, name }) => (
        <Fact key={`${as} ${name}`} tone="warning">
          Gets the credential <Name>{credential}</Name> as the {as === "env" ? "variable" : "file"}{" "}
          <Name>{as === "env" ? name : `/run/secrets/${name}`}</Name>
          {slot === name ? null : (
            <>
              , for <Name>{slot}</Name>
            </>
          )}
        </Fact>
      ))}
      {tools ? (
        <Fact>Tools used without asking: {tools.length > 0 ? <Name>{tools.join(", ")}</Name> : "none"}</Fact>
      ) : null}
      {scripts ? <Fact tone="warning">Agents may read and run its scripts</Fact> : null}
      {paths?.map(({ path, mode }) => (
        <Fact key={path} tone="warning">
          {mode === "rw" ? "Reads and writes" : "Reads"} <Name>{path}</Name> on the host
        </Fact>
      ))}
      {workspace ? <Fact tone="warning">Reads and writes the workspace of its session</Fact> : null}
      {namespaces && namespaces.length > 0 ? (
        <Fact tone="warning">
          Host namespaces: <Name>{namespaces.join(", ")}</Name>
        </Fact>
      ) : null}
      {capabilities && capabilities.length > 0 ? (
        <Fact tone="warning">
          Linux capabilities: <Name>{capabilities.join(", ")}</Name>
        </Fact>
      ) : null}
      {timeoutSeconds ? <Fact>Time limit: {timeoutSeconds} seconds</Fact> : null}
    </ul>
  );
}
