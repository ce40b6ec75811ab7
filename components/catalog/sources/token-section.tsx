"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ConfirmButton } from "@/components/forms/confirm-button";
import { FormDialog, TextField } from "@/components/forms/form";
import { useApiForm } from "@/components/forms/use-api-form";
import { QueryState } from "@/components/state/query-state";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { RelativeTime } from "@/components/ui/relative-time";
import { Section } from "@/components/ui/section";
import { SkeletonRows } from "@/components/ui/skeleton";
import { githubTokenQuery, removeGithubToken, setGithubToken } from "@/lib/client/catalog";

/** One token for all sources: it raises the rate limit and gives access to private repositories. */
export function TokenSection() {
  const query = useQuery(githubTokenQuery);
  const [isSetting, setSetting] = useState(false);
  const isSet = query.data?.isSet === true;
  return (
    <Section
      title="GitHub token"
      description="Without a token, GitHub allows 60 requests per hour and gives access to public repositories only."
      actions={
        query.data ? (
          <>
            {isSet ? (
              <ConfirmButton
                size="md"
                title="Remove the GitHub token?"
                description="Syncs continue without it, within GitHub's limit for anonymous requests. Private repositories can no longer be synced; their skills stay in the catalog."
                confirmLabel="Remove token"
                onConfirm={removeGithubToken}
                refresh={[githubTokenQuery.queryKey]}
              >
                Remove
              </ConfirmButton>
            ) : null}
            <Button onClick={() => setSetting(true)}>{isSet ? "Replace" : "Set token"}</Button>
          </>
        ) : null
      }
    >
      <QueryState
        query={query}
        loading={<SkeletonRows rows={1} />}
        errorTitle="The state of the token could not be loaded."
      >
        {({ setAt, setBy }) => (
          <p className="flex flex-wrap items-center gap-2 text-13">
            {isSet ? <Badge tone="success">Set</Badge> : <Badge>Not set</Badge>}
            {setAt ? (
              <span className="text-muted-foreground">
                {setBy ? `by ${setBy}, ` : ""}
                <RelativeTime value={setAt} />
              </span>
            ) : null}
          </p>
        )}
      </QueryState>
      <Dialog open={isSetting} onOpenChange={setSetting}>
        {isSetting ? <TokenForm isSet={isSet} onDone={() => setSetting(false)} /> : null}
      </Dialog>
    </Section>
  );
}

function TokenForm({ isSet, onDone }: { isSet: boolean; onDone: () => void }) {
  const queries = useQueryClient();
  const form = useApiForm({
    values: { token: "" },
    send: ({ token }) => setGithubToken(token),
    onDone: (status) => {
      queries.setQueryData(githubTokenQuery.queryKey, status);
      onDone();
    },
    done: "The GitHub token is stored.",
  });
  return (
    <FormDialog
      form={form}
      title={isSet ? "Replace the GitHub token" : "Set a GitHub token"}
      description="It is stored encrypted on this server and never shown again."
      action="Store token"
    >
      <TextField
        form={form}
        name="token"
        label="Token"
        required
        help="Needs read access to repository contents only."
        type="password"
        spellCheck={false}
      />
    </FormDialog>
  );
}
