"use client";

import { Notice } from "@/components/ui/notice";
import type { Skill, Version } from "@/lib/skills/schema";
import { whyNoneServes } from "./allowed-words";
import { useWorkerAllowances } from "./use-worker-allowances";
import type { Terms } from "./version-terms";

type NotServedProps = {
  skill: Pick<Skill, "scope">;
  version: Version;
  /** What a decision would give; left out, what the version has. */
  terms?: Terms | undefined;
};

/** Says that no worker allows all that a version is granted, before it is signed and after. */
export function NotServed({ skill, version, terms }: NotServedProps) {
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
