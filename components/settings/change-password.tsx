"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { newPasswordProblem } from "@/components/auth/one-time-link";
import { PasswordField } from "@/components/auth/password-field";
import { FormError } from "@/components/forms/form-error";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { FormDialogContent } from "@/components/ui/form-dialog-content";
import { useToast } from "@/components/ui/toast";
import { ApiError } from "@/lib/client/api";
import { changePassword, connectedSignInsQuery, sessionsQuery } from "@/lib/client/people";

/** Nothing for somebody who has none: they sign in with a provider. */
export function ChangePassword() {
  const [isOpen, setOpen] = useState(false);
  const signIns = useQuery(connectedSignInsQuery);
  if (signIns.data?.hasPassword === false) return null;
  return (
    <>
      <Button className="self-start" onClick={() => setOpen(true)}>
        Change password
      </Button>
      <Dialog open={isOpen} onOpenChange={setOpen}>
        {isOpen ? <PasswordForm onDone={() => setOpen(false)} /> : null}
      </Dialog>
    </>
  );
}

function PasswordForm({ onDone }: { onDone: () => void }) {
  const queries = useQueryClient();
  const { toast } = useToast();
  const [current, setCurrent] = useState("");
  const [password, setPassword] = useState("");
  const [wasTried, setTried] = useState(false);
  const change = useMutation({
    mutationFn: changePassword,
    onSuccess: () => {
      toast({ tone: "success", title: "Your password is changed.", description: "Your other sessions have ended." });
      onDone();
      return queries.invalidateQueries({ queryKey: sessionsQuery.queryKey });
    },
  });
  const error = change.error instanceof ApiError ? change.error : null;
  const problem = wasTried ? newPasswordProblem(password) : undefined;
  const submit = () => {
    setTried(true);
    if (newPasswordProblem(password) === undefined) change.mutate({ current, password });
  };

  return (
    <FormDialogContent
      title="Change password"
      description="Your other sessions end. API tokens keep working."
      action="Change password"
      pending={change.isPending}
      onSubmit={submit}
    >
      <PasswordField
        label="Current password"
        value={current}
        onChange={({ target }) => setCurrent(target.value)}
        autoComplete="current-password"
        error={error?.fieldError("current")}
      />
      <PasswordField
        label="New password"
        value={password}
        onChange={({ target }) => setPassword(target.value)}
        autoComplete="new-password"
        error={problem ?? error?.fieldError("password")}
        help="At least 12 characters."
      />
      <FormError error={change.error} />
    </FormDialogContent>
  );
}
