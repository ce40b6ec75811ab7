import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { RevealedText } from "@/components/code/hidden-notice";
import { Button } from "@/components/ui/button";
import { deferredUntil } from "@/components/ui/deferred/deferred";
import { Notice } from "@/components/ui/notice";
import { updatesQuery } from "@/lib/client/catalog";
import type { Skill } from "@/lib/skills/schema";
import { describeChanges } from "./import-update";

const UpdateDrawer = deferredUntil(
  async () => (await import("./update-drawer")).UpdateDrawer,
  ({ item }) => item !== null,
);

/** Shows on the page of a catalog skill that an update exists or the source is gone. Pending updates have their own notice. */
export function UpstreamNotice({ skill }: { skill: Pick<Skill, "id" | "source"> }) {
  const isFromCatalog = skill.source === "catalog";
  const updates = useInfiniteQuery({ ...updatesQuery, enabled: isFromCatalog });
  const [isOpen, setOpen] = useState(false);
  const item = updates.data?.pages.flatMap((page) => page.items).find(({ skillId }) => skillId === skill.id);
  if (!isFromCatalog || !item || item.state === "pending") return null;
  return (
    <>
      <Notice
        tone={item.state === "removed" ? "warning" : "neutral"}
        className="items-center"
        title={item.state === "removed" ? "Removed upstream" : "Update available"}
        action={
          item.state === "available" ? (
            <Button size="sm" onClick={() => setOpen(true)}>
              View update
            </Button>
          ) : null
        }
      >
        {item.state === "removed" ? (
          <>
            <RevealedText text={`${item.repository}@${item.ref}`} /> no longer contains this folder. The installed
            version stays, without updates.
          </>
        ) : (
          <>
            {describeChanges(item.files)} in <RevealedText text={`${item.repository}@${item.ref}`} />. Nothing changes
            until the update is imported and approved.
          </>
        )}
      </Notice>
      <UpdateDrawer item={isOpen ? item : null} onClose={() => setOpen(false)} />
    </>
  );
}
