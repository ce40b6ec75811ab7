"use client";

import { useQuery } from "@tanstack/react-query";
import { ShieldCheck } from "lucide-react";
import { useState } from "react";
import { RevealedText } from "@/components/code/hidden-notice";
import { useAction } from "@/components/forms/use-action";
import { ListSection } from "@/components/lists/list-section";
import { countOf } from "@/components/skills/skill-labels";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { RelativeTime } from "@/components/ui/relative-time";
import { foreignInstancesKey, foreignInstancesQuery, trustInstance } from "@/lib/client/evidence";
import { reviewsKey } from "@/lib/client/reviews";
import type { ForeignInstance } from "@/lib/review/bundles/schema";

export function InstanceTrustSection() {
  return (
    <ListSection
      title="Other instances"
      description="Instances whose bundles were imported here. Their approvals are shown to reviewers and count only while you trust their key."
      query={useQuery(foreignInstancesQuery())}
      skeletonRows={2}
      errorTitle="The instances could not be loaded."
      empty={{
        icon: ShieldCheck,
        title: "No bundle was imported",
        description: (
          <span className="flex flex-col items-center gap-3">
            A bundle is a file with approved skills of another Skillgate, signed by that instance. An operator imports
            one on this server:
            <CodeBlock
              code="npm run bundle -- import FILE --as EMAIL"
              label="Import a bundle"
              language="sh"
              showLabel={false}
              wrap
              className="w-full text-left text-foreground"
            />
          </span>
        ),
      }}
    >
      {(instances) => (
        <ul className="flex flex-col divide-y border-y">
          {instances.map((instance) => (
            <InstanceItem key={instance.keyId} instance={instance} />
          ))}
        </ul>
      )}
    </ListSection>
  );
}

function InstanceItem({ instance }: { instance: ForeignInstance }) {
  const { keyId, name, trusted, versions, counting } = instance;
  const [open, setOpen] = useState(false);
  const { mutateAsync } = useAction((trust: boolean) => trustInstance(keyId, trust), {
    refresh: [foreignInstancesKey, reviewsKey],
    done: (answer) => (answer.trusted ? `${name} is trusted.` : `${name} is no longer trusted.`),
  });
  return (
    <li className="flex flex-col gap-1.5 py-3 text-13">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="font-medium">
          <RevealedText text={name} />
        </span>
        <Badge tone={trusted ? "success" : "neutral"}>{trusted ? "Trusted" : "Not trusted"}</Badge>
        <Button
          size="sm"
          className="ml-auto"
          onClick={() => setOpen(true)}
          aria-label={trusted ? `Withdraw trust in ${name}` : `Trust ${name}`}
        >
          {trusted ? "Withdraw trust" : "Trust"}
        </Button>
      </div>
      <p className="font-mono text-muted-foreground text-xs [overflow-wrap:anywhere]">{keyId}</p>
      <p className="text-muted-foreground">
        {countOf(versions, "version")} from its bundles, {counting} approved here because of it. Last export{" "}
        <RelativeTime value={instance.lastExportAt} />.
        {trusted ? (
          <>
            {" "}
            Trusted by {trusted.by.name} <RelativeTime value={trusted.at} />.
          </>
        ) : null}
      </p>
      <ConfirmDialog
        open={open}
        onOpenChange={setOpen}
        title={trusted ? `Withdraw trust in ${name}?` : `Trust ${name}?`}
        description={
          trusted
            ? `${countOf(counting, "version")} that only it approved return to review and stop running.`
            : "Compare the key below with the review key that the other instance shows. Its approvals then count for safe skills inside the plain sandbox. Everything else still needs people here, and no skill is switched on."
        }
        confirmLabel={trusted ? "Withdraw trust" : "Trust instance"}
        tone={trusted ? "danger" : "primary"}
        onConfirm={() => mutateAsync(!trusted)}
      >
        <p className="font-mono text-xs [overflow-wrap:anywhere]">{keyId}</p>
      </ConfirmDialog>
    </li>
  );
}
