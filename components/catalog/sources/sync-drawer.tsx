import { useQuery } from "@tanstack/react-query";
import { RefreshCw } from "lucide-react";
import type { ReactNode } from "react";
import { RevealedText } from "@/components/code/hidden-notice";
import { useAction } from "@/components/forms/use-action";
import { countOf } from "@/components/skills/skill-labels";
import { errorText } from "@/components/state/describe-error";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { DefinitionList } from "@/components/ui/definition-list";
import { Digest } from "@/components/ui/digest";
import { Drawer, DrawerContent } from "@/components/ui/drawer";
import { Notice } from "@/components/ui/notice";
import { ProgressBar } from "@/components/ui/progress-bar";
import { RelativeTime } from "@/components/ui/relative-time";
import { Section } from "@/components/ui/section";
import { Switch } from "@/components/ui/switch";
import type { CatalogSource } from "@/lib/catalog/sources/schema";
import { isWorking, keepFiles, keptFilesQuery } from "@/lib/client/catalog";
import { SkippedList } from "./skipped-list";
import { kindLabels, sourceAddress, sourceState, useSourceActions } from "./source-actions";
import { SourceHealth } from "./source-health";
import { WebhookSection } from "./webhook-section";

const pendingReasons = {
  renamed: {
    title: "The repository was renamed",
    text: "It is the same repository under a new name. Confirm the new name to continue syncing.",
  },
  replaced: {
    title: "Another repository has this name now",
    text: "It is not the repository that was added. Another account may have taken over the name: confirm it only if you know the owner.",
  },
} as const;

export function SyncDrawer({ source, onClose }: { source: CatalogSource | null; onClose: () => void }) {
  return (
    <Drawer open={source !== null} onOpenChange={(open) => !open && onClose()}>
      {source ? <Content source={source} /> : null}
    </Drawer>
  );
}

function Content({ source }: { source: CatalogSource }) {
  const { sync } = useSourceActions(source);
  const state = sourceState(source);
  return (
    <DrawerContent
      title={
        <span className="flex items-center gap-2">
          <RevealedText text={source.label} />
          <Badge tone={state.tone}>{state.label}</Badge>
        </span>
      }
      description={sourceAddress(source)}
      footer={
        <Button variant="primary" pending={isWorking(source) || sync.isPending} onClick={() => sync.mutate()}>
          <RefreshCw aria-hidden />
          Sync now
        </Button>
      }
    >
      <div className="flex flex-col gap-6">
        <div aria-live="polite" className="flex flex-col gap-3 empty:hidden">
          {isWorking(source) ? <Progress source={source} /> : null}
          <PendingRepositoryNotice source={source} />
          {source.error && !source.pendingRepository ? <Failure source={source} /> : null}
        </div>
        <Section title="Sync" level={3} className="gap-2">
          <DefinitionList items={[...hostFacts(source), ...syncFacts(source)]} />
        </Section>
        <Section title="Contents" level={3} className="gap-2">
          <DefinitionList items={contentFacts(source)} />
        </Section>
        <KeptFiles source={source} />
        <WebhookSection source={source} />
        {source.skipped.length > 0 ? (
          <Section
            title={`Skipped folders (${source.skippedCount})`}
            description={
              source.skippedCount > source.skipped.length
                ? `The catalog does not show them. The first ${source.skipped.length} are listed; GET /api/admin/catalog-sources/${source.id} lists all.`
                : "The catalog does not show them, for the reasons below."
            }
            level={3}
            className="gap-2"
          >
            <SkippedList skipped={source.skipped} />
          </Section>
        ) : null}
      </div>
    </DrawerContent>
  );
}

function Progress({ source }: { source: CatalogSource }) {
  const { state, done, total, requests, rawReads } = source;
  return (
    <div className="flex flex-col gap-2 text-13">
      <ProgressBar label={`Sync of ${source.label}`} done={done} total={state === "running" ? total : 0} />
      <p className="flex justify-between gap-4 text-muted-foreground">
        <span>{state === "queued" ? "Queued" : total > 0 ? "Reading skills" : "Checking for changes"}</span>
        <span className="tabular-nums">
          {total > 0 ? `${done} of ${countOf(total, "file")}` : null}
          {state === "running" && requests + rawReads > 0 ? `, ${countOf(requests, "request")}` : null}
        </span>
      </p>
    </div>
  );
}

/** Why the last sync failed. The catalog keeps showing the last successful one. */
function Failure({ source }: { source: CatalogSource }) {
  const { error, errorCode, failures, nextSyncAt, syncedAt } = source;
  const { forgetHostKeys } = useSourceActions(source);
  return (
    <Notice tone="danger" title={failures > 1 ? `The last ${failures} syncs failed` : "The last sync failed"}>
      <p>
        {error} {errorCode ? <code className="text-xs">{errorCode}</code> : null}
      </p>
      <p className="mt-1 text-muted-foreground">
        {syncedAt ? "The catalog still shows the last successful sync. " : ""}
        {nextSyncAt ? (
          <>
            Next attempt <RelativeTime value={nextSyncAt} />.
          </>
        ) : (
          "There is no automatic retry: choose “Sync now”."
        )}
      </p>
      {errorCode === "host_key_changed" ? (
        <>
          {forgetHostKeys.error ? (
            <p role="alert" className="mt-2 text-danger">
              {errorText(forgetHostKeys.error)}
            </p>
          ) : null}
          <Button
            size="sm"
            className="mt-3"
            pending={forgetHostKeys.isPending}
            onClick={() => forgetHostKeys.mutate(undefined)}
          >
            Forget pinned host key
          </Button>
        </>
      ) : null}
    </Notice>
  );
}

type Fact = { term: string; value: ReactNode };

function syncFacts(source: CatalogSource): Fact[] {
  const { rateLimit, syncedAt, nextSyncAt, commit } = source;
  return [
    { term: "Last 30 days", value: <SourceHealth source={source} /> },
    { term: "Last successful sync", value: syncedAt ? <RelativeTime value={syncedAt} /> : "Never" },
    { term: "Next sync", value: nextSyncAt ? <RelativeTime value={nextSyncAt} /> : "Manual" },
    ...(commit ? [{ term: "Commit", value: <Digest value={commit} label="commit" /> }] : []),
    {
      term: "Requests",
      value: `${source.requests} to the API, ${source.rawReads} ${source.rawReads === 1 ? "file" : "files"} read`,
    },
    {
      term: "Rate limit left",
      value: rateLimit ? (
        <>
          {rateLimit.left.toLocaleString("en-GB")}
          {rateLimit.limit === null ? "" : ` of ${rateLimit.limit.toLocaleString("en-GB")}`}
          {rateLimit.resetAt ? (
            <>
              , resets <RelativeTime value={rateLimit.resetAt} />
            </>
          ) : null}
        </>
      ) : (
        "Unknown"
      ),
    },
  ];
}

/** What is read, and with which keys. Sources on GitHub share one token. */
function hostFacts({ kind, repoUrl, hasCredential, hostKeys }: CatalogSource): Fact[] {
  if (kind === "github") return [];
  return [
    { term: "Kind", value: kindLabels[kind] },
    { term: "Address", value: <RevealedText text={repoUrl} className="[overflow-wrap:anywhere]" /> },
    { term: "Credential", value: hasCredential ? "Stored" : "None" },
    ...hostKeys.map((key) => ({
      term: "Host key",
      value: <code className="text-xs [overflow-wrap:anywhere]">{key}</code>,
    })),
  ];
}

function contentFacts({ counts, isPrivate, repositoryId, kind }: CatalogSource): Fact[] {
  return [
    { term: "Skills", value: counts.entries.toLocaleString("en-GB") },
    ...(counts.packs > 0 ? [{ term: "Packs", value: counts.packs }] : []),
    ...(counts.blocked > 0 ? [{ term: "Not installable", value: counts.blocked }] : []),
    ...(counts.removed > 0 ? [{ term: "Removed upstream", value: counts.removed }] : []),
    { term: "Installed", value: counts.installed },
    ...(repositoryId && kind !== "git"
      ? [{ term: "Repository id", value: <code className="text-xs">{repositoryId}</code> }]
      : []),
    ...(isPrivate ? [{ term: "Visibility", value: "Private: everyone here can read its skills" }] : []),
  ];
}

/** Syncs of a renamed or replaced repository stop until an admin confirms it. */
function PendingRepositoryNotice({ source }: { source: CatalogSource }) {
  const { confirm } = useSourceActions(source);
  const pending = source.pendingRepository;
  if (!pending) return null;
  const { title, text } = pendingReasons[pending.reason];
  return (
    <Notice tone={pending.reason === "replaced" ? "danger" : "warning"} title={title}>
      <p>{text}</p>
      <DefinitionList
        className="mt-2"
        items={[
          {
            term: "Pinned",
            value: <RepositoryName name={`${source.owner}/${source.repo}`} id={source.repositoryId} />,
          },
          { term: "Current", value: <RepositoryName name={pending.fullName} id={pending.id} /> },
        ]}
      />
      {confirm.error ? (
        <p role="alert" className="mt-2 text-danger">
          {errorText(confirm.error)}
        </p>
      ) : null}
      <Button size="sm" className="mt-3" pending={confirm.isPending} onClick={() => confirm.mutate(pending.id)}>
        Confirm {pending.fullName}
      </Button>
    </Notice>
  );
}

function RepositoryName({ name, id }: { name: string; id: string | null }) {
  return (
    <span className="[overflow-wrap:anywhere]">
      <RevealedText text={name} className="font-medium" />
      {id ? <code className="ml-2 text-xs">id {id}</code> : null}
    </span>
  );
}

/** Whether all files of a source are stored here, with a switch. */
export function KeptFiles({ source }: { source: Pick<CatalogSource, "id" | "label"> }) {
  const query = useQuery(keptFilesQuery(source.id));
  const change = useAction((keeps: boolean) => keepFiles(source.id, keeps), {
    refresh: [keptFilesQuery(source.id).queryKey],
    failed: `${source.label} was not changed.`,
  });
  const { data } = query;
  return (
    <Section
      title="Keep all files"
      description="Stores every file of the listed skills here, so that they can be installed while the host is gone."
      level={3}
      className="gap-2"
    >
      {query.error ? <p className="text-13 text-danger">{errorText(query.error)}</p> : null}
      {data ? (
        <div className="flex flex-col gap-2 text-13">
          <Switch
            aria-label={`All files of ${source.label} are ${data.keeps ? "kept" : "not kept"}`}
            checked={change.isPending ? change.variables : data.keeps}
            onCheckedChange={(keeps) => change.mutate(keeps)}
          />
          {data.keeps ? (
            <p className="text-muted-foreground">
              {data.complete.toLocaleString("en-GB")} of {data.entries.toLocaleString("en-GB")} skills are stored.
            </p>
          ) : null}
          {data.problem === null ? null : <p className="text-warning">{data.problem}</p>}
        </div>
      ) : null}
    </Section>
  );
}
