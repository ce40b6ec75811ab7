"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { newPasswordProblem } from "@/components/auth/new-password";
import { PasswordField } from "@/components/auth/password-field";
import { errorText } from "@/components/state/describe-error";
import { Button } from "@/components/ui/button";
import { Dialog, DialogClose, DialogContent } from "@/components/ui/dialog";
import { Notice } from "@/components/ui/notice";
import { useToast } from "@/components/ui/toast";
import { ApiError } from "@/lib/client/api";
import { changePassword, sessionsQuery } from "@/lib/client/people";

export function ChangePassword() {
  const [isOpen, setOpen] = useState(false);
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
  const formId = useId();
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
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (newPasswordProblem(password) === undefined) change.mutate({ current, password });
  };

  return (
    <DialogContent
      title="Change password"
      description="Your other sessions end. API tokens keep working."
      footer={
        <>
          <DialogClose asChild>
            <Button>Cancel</Button>
          </DialogClose>
          <Button type="submit" form={formId} variant="primary" pending={change.isPending}>
            Change password
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={submit} className="flex flex-col gap-5">
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
        {change.error && (error?.errors.length ?? 0) === 0 ? (
          <Notice tone="danger" announce>
            {errorText(change.error)}
          </Notice>
        ) : null}
      </form>
    </DialogContent>
  );
}
