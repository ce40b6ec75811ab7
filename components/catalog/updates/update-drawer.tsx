import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { DiagnosticList } from "@/components/code/diagnostic-list";
import { FileDiffView } from "@/components/code/file-diff";
import { RevealedText } from "@/components/code/hidden-notice";
import { VersionComparison } from "@/components/skills/versions/version-comparison";
import { errorText } from "@/components/state/describe-error";
import { QueryState } from "@/components/state/query-state";
import { Button } from "@/components/ui/button";
import { Digest } from "@/components/ui/digest";
import { Drawer, DrawerClose, DrawerContent } from "@/components/ui/drawer";
import { Notice } from "@/components/ui/notice";
import { Section } from "@/components/ui/section";
import type { UpdateItem } from "@/lib/catalog/update/schema";
import { updatePreviewQuery } from "@/lib/client/catalog";
import { skillQuery } from "@/lib/client/skills";
import { countOf, skillHref } from "../../skills/skill-labels";
import { DeclaredChanges } from "../../skills/versions/version-comparison";
import { folderLabel } from "../catalog-labels";
import { updateStates, useImportUpdate } from "./import-update";

export function UpdateDrawer({ item, onClose }: { item: UpdateItem | null; onClose: () => void }) {
  return (
    <Drawer open={item !== null} onOpenChange={(open) => !open && onClose()}>
      {item ? <Content key={item.skillId} item={item} onClose={onClose} /> : null}
    </Drawer>
  );
}

function Content({ item, onClose }: { item: UpdateItem; onClose: () => void }) {
  const take = useImportUpdate(item.skillName);
  const isOpen = item.state === "available" && item.blocked === null;
  return (
    <DrawerContent
      title={
        <>
          {updateStates[item.state].label}: <RevealedText text={item.skillName} />
        </>
      }
      description={`${item.repository}@${item.ref}, ${folderLabel(item.folder)}`}
      size="lg"
      footer={
        <>
          <Button asChild>
            <Link
              href={
                item.state === "pending"
                  ? `${skillHref({ id: item.skillId })}?tab=versions`
                  : skillHref({ id: item.skillId })
              }
            >
              {item.state === "pending" ? "View versions" : "Open skill"}
            </Link>
          </Button>
          {isOpen ? (
            <Button
              variant="primary"
              pending={take.isPending}
              onClick={() => take.mutate(item.skillId, { onSuccess: onClose })}
            >
              Import update
            </Button>
          ) : (
            <DrawerClose asChild>
              <Button variant="primary">Done</Button>
            </DrawerClose>
          )}
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {take.error ? (
          <Notice tone="danger" title="The update was not imported." announce>
            {errorText(take.error)}
          </Notice>
        ) : null}
        {item.blocked ? (
          <Notice tone="danger" title="This update cannot be imported">
            <RevealedText text={item.blocked.reason} />
          </Notice>
        ) : null}
        <p className="text-13">{updateStates[item.state].explanation}</p>
        <Change item={item} />
      </div>
    </DrawerContent>
  );
}

/** Before the import, the diff comes from the repository; afterwards both versions are stored. */
function Change({ item }: { item: UpdateItem }) {
  if (item.state === "removed") return null;
  return item.state === "available" ? <UpdateDiff skillId={item.skillId} /> : <TakenDiff item={item} />;
}

function TakenDiff({ item }: { item: UpdateItem }) {
  const query = useQuery(skillQuery(item.skillId));
  return (
    <QueryState query={query} errorTitle="The skill could not be loaded.">
      {({ id, pendingVersion }) =>
        pendingVersion ? (
          <VersionComparison skillId={id} digest={pendingVersion.digest} against={item.from.digest} />
        ) : (
          <p className="text-13 text-muted-foreground">A reviewer has already decided on this version.</p>
        )
      }
    </QueryState>
  );
}

function UpdateDiff({ skillId }: { skillId: string }) {
  const query = useQuery(updatePreviewQuery(skillId));
  return (
    <QueryState query={query} errorTitle="The update could not be loaded.">
      {({ files, changes, notes, against, commit }) => (
        <div className="flex flex-col gap-3">
          <p className="flex flex-wrap items-center gap-x-1 text-13 text-muted-foreground">
            {files.length === 0
              ? "No file differs"
              : `${countOf(files.length, "file")} differ${files.length === 1 ? "s" : ""}`}{" "}
            between the installed version <Digest value={against} label="digest of the installed version" /> and commit{" "}
            <Digest value={commit} label="commit" />
          </p>
          <DeclaredChanges changes={changes} />
          {files.map((file) => (
            <FileDiffView key={file.path} file={file} />
          ))}
          {notes.length > 0 ? (
            <Section title="Compatibility notes" level={3} className="gap-1">
              <DiagnosticList diagnostics={notes} />
            </Section>
          ) : null}
        </div>
      )}
    </QueryState>
  );
}
