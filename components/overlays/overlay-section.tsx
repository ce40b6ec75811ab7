"use client";

import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { Sparkles } from "lucide-react";
import { useState } from "react";
import { canManage } from "@/components/skills/can-manage";
import { errorText } from "@/components/state/describe-error";
import { QueryState } from "@/components/state/query-state";
import { useMe } from "@/components/state/use-me";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Notice } from "@/components/ui/notice";
import { Section } from "@/components/ui/section";
import { optimizeSkill, overlaysKey, skillOverlaysQuery } from "@/lib/client/overlays";
import type { Skill } from "@/lib/skills/schema";
import { OverlayItem } from "./overlay-item";
import { ProposeDialog } from "./propose-dialog";
import { UploadDialog } from "./upload-dialog";

/** Other words for a skill, which agents are told in place of its own once a reviewer has approved them. */
export function OverlaySection({ skill }: { skill: Skill }) {
  const query = useInfiniteQuery(skillOverlaysQuery(skill.id));
  const queryClient = useQueryClient();
  const [dialog, setDialog] = useState<"model" | "upload" | null>(null);
  const propose = useMutation({
    mutationFn: () => optimizeSkill(skill.id, {}),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: overlaysKey }),
  });
  const mayPropose = canManage(skill, useMe()) && skill.currentVersion?.state === "approved";
  const actions = mayPropose ? (
    <>
      <Button onClick={() => setDialog("upload")}>Upload overlay</Button>
      <Button onClick={() => setDialog("model")}>Ask a model</Button>
      <Button variant="primary" pending={propose.isPending} onClick={() => propose.mutate()}>
        Propose from traces
      </Button>
    </>
  ) : null;
  return (
    <Section
      title="Overlays"
      description="A better description and examples, out of what happened. They change no byte of the skill, and no agent is told them before a reviewer approves."
      actions={actions}
    >
      {propose.error ? (
        <Notice tone="warning" announce title="Nothing was proposed">
          {errorText(propose.error)}
        </Notice>
      ) : null}
      <QueryState
        query={query}
        errorTitle="The overlays could not be loaded."
        isEmpty={({ pages }) => pages.every((page) => page.items.length === 0)}
        empty={
          <EmptyState
            icon={Sparkles}
            title="No overlay"
            description="After twenty uses, the best of them can become examples, and their requests better words."
          />
        }
      >
        {({ pages }) => (
          <ol className="flex flex-col gap-4">
            {pages
              .flatMap((page) => page.items)
              .map((overlay) => (
                <OverlayItem key={overlay.id} overlay={overlay} />
              ))}
          </ol>
        )}
      </QueryState>
      {query.hasNextPage ? (
        <div>
          <Button pending={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Show older overlays
          </Button>
        </div>
      ) : null}
      <ProposeDialog skill={skill} open={dialog === "model"} onClose={() => setDialog(null)} />
      <UploadDialog skill={skill} open={dialog === "upload"} onClose={() => setDialog(null)} />
    </Section>
  );
}
