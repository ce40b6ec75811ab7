"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { dismissFinding, reopenFinding, reviewsKey } from "@/lib/client/reviews";
import { versionQuery } from "@/lib/client/versions";
import type { Version } from "@/lib/skills/schema";

/** Dismisses a finding with a reason, or opens it again. */
export function useDismissal(skillId: string, digest: string, fingerprint: string) {
  const queryClient = useQueryClient();
  const onSuccess = (version: Version) => {
    queryClient.setQueryData(versionQuery(skillId, digest).queryKey, version);
    void queryClient.invalidateQueries({ queryKey: reviewsKey });
  };
  return {
    dismiss: useMutation({
      mutationFn: (reason: string) => dismissFinding(skillId, digest, fingerprint, reason),
      onSuccess,
    }),
    reopen: useMutation({ mutationFn: () => reopenFinding(skillId, digest, fingerprint), onSuccess }),
  };
}
