import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { RevealedText } from "@/components/code/hidden-notice";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { updatesQuery } from "@/lib/client/catalog";
import type { Skill } from "@/lib/skills/schema";
import { describeChanges } from "./take-update";
import { UpdateDrawer } from "./update-drawer";

/** On the page of a skill from the catalog: that it is different upstream, or gone. A taken update has its own notice. */
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
              See the update
            </Button>
          ) : null
        }
      >
        {item.state === "removed" ? (
          <>
            <RevealedText text={`${item.repository}@${item.ref}`} /> no longer holds this folder. What is installed
            stays as it is, without updates.
          </>
        ) : (
          <>
            {describeChanges(item.files)} in <RevealedText text={`${item.repository}@${item.ref}`} />. Nothing changes
            here until the update is taken and approved.
          </>
        )}
      </Notice>
      <UpdateDrawer item={isOpen ? item : null} onClose={() => setOpen(false)} />
    </>
  );
}
