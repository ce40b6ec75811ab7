import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useReducer, useRef, useSyncExternalStore } from "react";
import { isSame } from "@/components/json/diff-json";
import { RunView } from "@/components/runs/detail/run-view";
import { withoutDefaults, withoutSecrets } from "@/components/schema-form/resolve-schema";
import { SkillHeader, SkillTabs } from "@/components/skills/detail/skill-header";
import { useMe } from "@/components/state/use-me";
import { useUrlParams } from "@/components/state/use-url-params";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { deferred } from "@/components/ui/deferred/deferred";
import { DefinitionList } from "@/components/ui/definition-list";
import { EmptyState } from "@/components/ui/empty-state";
import { Notice } from "@/components/ui/notice";
import { Skeleton } from "@/components/ui/skeleton";
import { useToast } from "@/components/ui/toast";
import { runQuery } from "@/lib/client/runs";
import { versionQuery } from "@/lib/client/versions";
import type { Run } from "@/lib/runner/schema";
import type { Skill } from "@/lib/skills/schema";
import { type ArgsDraft, changeDraft, startDraft } from "./args-draft";
import { FillMenu } from "./fill-menu";
import { JsonPane } from "./json-editor";
import { RunForm } from "./run-form";
import { describeIsolation, describeTerms, findRunObstacle, startText, termsOf } from "./run-terms";
import { useRunStart } from "./use-run-start";

const RunHistory = deferred(async () => (await import("./run-history")).RunHistory);

const PipelinePlan = deferred(async () => (await import("@/components/pipelines/pipeline-plan")).PipelinePlan);

const wideScreenQuery = "(min-width: 900px)";

type RunWorkspaceProps = {
  skill: Skill;
  from: Run | null;
  prefillFailed: boolean;
};

export function RunWorkspace({ skill, from, prefillFailed }: RunWorkspaceProps) {
  const [params, setParams] = useUrlParams();
  const [draft, dispatch] = useReducer(changeDraft, from ? callArgsOf(from, skill) : {}, startDraft);
  const { toast } = useToast();
  const me = useMe();
  const runId = params.get("run");
  const shown = useQuery({ ...runQuery(runId ?? ""), enabled: runId !== null });
  const runArea = useRef<HTMLDivElement>(null);
  const obstacle = findRunObstacle(skill, me);
  const isWide = useIsWide();
  const before = shown.data ?? from;

  const showRun = (run: Run) => {
    setParams({ run: run.id, from: null }, { push: true });
    // Scrolls only when the run is out of view, as on phones or below a long form.
    requestAnimationFrame(() => {
      const top = runArea.current?.getBoundingClientRect().top ?? 0;
      if (top < 0 || top > window.innerHeight / 2) runArea.current?.scrollIntoView({ block: "start" });
    });
  };
  const start = useRunStart({ skill, draft, blocked: obstacle?.title ?? null, onStarted: showRun });

  const fill = (args: Record<string, unknown>, title: string) => {
    const { value, text } = draft;
    dispatch({ type: "replace", value: args });
    toast({
      title,
      undo: () => {
        dispatch({ type: "replace", value });
        if (text !== null) dispatch({ type: "edit-text", text });
      },
    });
  };
  const takeArgs = (run: Run) => {
    fill(callArgsOf(run, skill), "Arguments of that run filled in.");
    window.scrollTo({ top: 0 });
  };

  return (
    <div className="flex w-full flex-1 flex-col gap-4 px-4 py-5 md:px-6">
      <div>
        <SkillHeader skill={skill} isRunPage />
        <SkillTabs skill={skill} current="run" />
      </div>
      {obstacle ? (
        <Notice
          tone={obstacle.tone}
          title={obstacle.title}
          action={obstacle.link ? <ObstacleLink {...obstacle.link} /> : null}
        >
          {obstacle.text}
        </Notice>
      ) : null}
      {prefillFailed ? <Notice tone="warning">The earlier run could not be loaded. The form is empty.</Notice> : null}
      {skill.runnable && skill.userInvocable ? (
        <div className="grid items-start gap-x-8 gap-y-6 max-[899px]:grid-cols-[minmax(0,1fr)] min-[900px]:grid-cols-[minmax(19rem,27rem)_minmax(0,1fr)]">
          <div className="flex min-w-0 flex-col gap-4">
            <RunTermsBox skill={skill} />
            <RunForm
              skill={skill}
              draft={draft}
              dispatch={dispatch}
              start={start}
              blocked={obstacle?.title ?? null}
              isJsonBeside={isWide}
              fill={
                <FillMenu
                  skillId={skill.id}
                  schema={start.schema}
                  onFill={(args, what) => fill(args, what === null ? "Form cleared." : `${what} filled in.`)}
                />
              }
              since={
                <EditedSince
                  schema={start.schema}
                  draft={draft}
                  before={before ? callArgsOf(before, skill) : null}
                  onBack={(args) => dispatch({ type: "replace", value: args })}
                />
              }
            />
          </div>
          <div className="flex min-w-0 flex-col gap-4">
            {isWide ? <JsonPane schema={start.schema} draft={draft} dispatch={dispatch} errors={start.errors} /> : null}
            <div ref={runArea} className="min-w-0">
              {runId ? (
                <RunView key={runId} runId={runId} linked />
              ) : (
                <NoRunYet skill={skill} args={withoutSecrets(start.schema, draft.value)} />
              )}
            </div>
          </div>
        </div>
      ) : null}
      {skill.runnable ? <RunHistory skillId={skill.id} current={runId} onUseArgs={takeArgs} /> : null}
    </div>
  );
}

/** What the run will show; of a pipeline its steps, with what each would get of the arguments in the form. */
function NoRunYet({ skill, args }: { skill: Skill; args: Record<string, unknown> }) {
  const digest = skill.currentVersion?.digest ?? "";
  const { data: version } = useQuery({ ...versionQuery(skill.id, digest), enabled: digest !== "" });
  if (version?.manifest.kind === "pipeline") return <PipelinePlan version={version} args={args} />;
  return (
    <EmptyState
      title="No run started yet"
      description={skill.resultPreview ? `Returns: ${skill.resultPreview}` : "State, log and result appear here."}
      className="min-h-64 max-w-none justify-center rounded-md border border-dashed"
    />
  );
}

function ObstacleLink({ href, label }: { href: string; label: string }) {
  return (
    <Button size="sm" asChild>
      <Link href={href}>{label}</Link>
    </Button>
  );
}

function subscribe(listener: () => void): () => void {
  const media = window.matchMedia?.(wideScreenQuery);
  media?.addEventListener("change", listener);
  return () => media?.removeEventListener("change", listener);
}

/** Whether two columns fit. False on the server. */
function useIsWide(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => window.matchMedia?.(wideScreenQuery).matches ?? false,
    () => false,
  );
}

function RunTermsBox({ skill }: { skill: Skill }) {
  const me = useMe();
  const digest = skill.currentVersion?.digest ?? "";
  const version = useQuery({ ...versionQuery(skill.id, digest), enabled: digest !== "" });
  const isKnown = digest === "" || version.data !== undefined;
  const place = describeIsolation(me?.isolation, me?.workersOnline);
  const lines = [...describeTerms(termsOf(skill, version.data)), ...(place ? [place] : [])];
  return (
    <section aria-label="Permissions of this run" className="rounded-md border px-4 py-3">
      <h2 className="text-13">Permissions of this run</h2>
      {isKnown ? (
        <DefinitionList
          className="mt-2 sm:gap-y-1"
          items={lines.map(({ term, text, highlighted }) => ({
            term,
            value: (
              <span
                className={cn(
                  "wrap-anywhere",
                  highlighted && "font-medium text-warning",
                  term === "Class" && skill.class === "dangerous" && "text-danger",
                )}
              >
                {text}
              </span>
            ),
          }))}
        />
      ) : version.error ? (
        <p className="mt-2 text-13 text-danger">The permissions could not be loaded. Reload the page.</p>
      ) : (
        <Skeleton className="mt-2 h-36" />
      )}
      {version.data?.notServed ? (
        <Notice tone="warning" title="No worker can run this now" className="mt-2">
          {version.data.notServed}
        </Notice>
      ) : null}
      <p className="mt-2 min-h-5 border-t pt-2 text-13">{startText(me, skill.class)}</p>
    </section>
  );
}

/** The arguments to send for the same run: skills of scope host take the edge as an argument, while runs store it apart. */
export function callArgsOf(
  run: Pick<Run, "args" | "target">,
  skill: Pick<Skill, "callSchema" | "schema">,
): Run["args"] {
  if (!run.target || names(skill.schema, "edge_id") || !names(skill.callSchema, "edge_id")) return run.args;
  return { edge_id: run.target.name, ...run.args };
}

function names(schema: Record<string, unknown> | null, property: string): boolean {
  const properties = schema?.properties;
  return typeof properties === "object" && properties !== null && Object.hasOwn(properties, property);
}

type EditedSinceProps = {
  schema: Record<string, unknown>;
  draft: ArgsDraft;
  before: Record<string, unknown> | null;
  onBack: (args: Record<string, unknown>) => void;
};

/** Shown when the form differs from the run's arguments in more than defaults, with a button to restore them. */
export function EditedSince({ schema, draft, before, onBack }: EditedSinceProps) {
  if (before === null) return null;
  const own = (args: Record<string, unknown>) => withoutDefaults(schema, args);
  if (draft.problem === null && isSame(own(draft.value), own(before))) return null;
  return (
    <p className="flex basis-full items-center gap-3 text-13">
      <Badge>Edited since this run</Badge>
      <Button variant="link" onClick={() => onBack(before)}>
        Restore its arguments
      </Button>
    </p>
  );
}
