"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { errorText } from "@/components/state/describe-error";
import { QueryState } from "@/components/state/query-state";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { Dialog, DialogClose, DialogContent } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { RelativeTime } from "@/components/ui/relative-time";
import { Section } from "@/components/ui/section";
import { SkeletonRows } from "@/components/ui/skeleton-rows";
import { useToast } from "@/components/ui/toast";
import { ApiError } from "@/lib/client/api";
import { githubTokenQuery, removeGithubToken, setGithubToken } from "@/lib/client/catalog";

/** One token for all sources: a higher limit, and private repositories. Stored encrypted, never shown again. */
export function TokenSection() {
  const query = useQuery(githubTokenQuery);
  const queryClient = useQueryClient();
  const [question, setQuestion] = useState<"set" | "remove" | null>(null);
  const isSet = query.data?.isSet === true;
  const remove = useMutation({
    mutationFn: removeGithubToken,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: githubTokenQuery.queryKey }),
  });
  return (
    <Section
      title="GitHub token"
      description="Without one, GitHub allows 60 requests an hour and shows public repositories only."
      actions={
        query.data ? (
          <>
            {isSet ? <Button onClick={() => setQuestion("remove")}>Remove</Button> : null}
            <Button onClick={() => setQuestion("set")}>{isSet ? "Replace" : "Set token"}</Button>
          </>
        ) : null
      }
    >
      <QueryState query={query} loading={<SkeletonRows rows={1} />} errorTitle="The state of the token is not known.">
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
      <Dialog open={question === "set"} onOpenChange={(open) => !open && setQuestion(null)}>
        {question === "set" ? <TokenForm isSet={isSet} onDone={() => setQuestion(null)} /> : null}
      </Dialog>
      <ConfirmDialog
        open={question === "remove"}
        onOpenChange={(open) => !open && setQuestion(null)}
        title="Remove the GitHub token?"
        description="Syncs go on without it, within GitHub's limit for anonymous requests. Private repositories can no longer be read; what the catalog shows of them stays."
        confirmLabel="Remove token"
        tone="danger"
        onConfirm={() => remove.mutateAsync()}
      />
    </Section>
  );
}

function TokenForm({ isSet, onDone }: { isSet: boolean; onDone: () => void }) {
  const formId = useId();
  const queryClient = useQueryClient();
  const { toast } = useToast();
  const [token, setToken] = useState("");
  const save = useMutation({
    mutationFn: setGithubToken,
    onSuccess: (status) => {
      queryClient.setQueryData(githubTokenQuery.queryKey, status);
      toast({ tone: "success", title: "The GitHub token is stored." });
      onDone();
    },
  });
  const problem = save.error
    ? ((save.error instanceof ApiError ? save.error.fieldError("token") : undefined) ?? errorText(save.error))
    : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(token);
  };
  return (
    <DialogContent
      title={isSet ? "Replace the GitHub token" : "Set a GitHub token"}
      description="It is stored encrypted on this server and never shown again."
      footer={
        <>
          <DialogClose asChild>
            <Button>Cancel</Button>
          </DialogClose>
          <Button type="submit" form={formId} variant="primary" pending={save.isPending}>
            Store token
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={submit}>
        <Field
          label="Token"
          required
          error={problem}
          help="It needs to read the contents of repositories, nothing else."
        >
          <Input
            type="password"
            autoComplete="off"
            spellCheck={false}
            value={token}
            onChange={({ target }) => setToken(target.value)}
          />
        </Field>
      </form>
    </DialogContent>
  );
}
