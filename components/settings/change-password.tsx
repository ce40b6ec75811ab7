"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { PasswordField } from "@/components/auth/password-field";
import { FormDialog } from "@/components/forms/form";
import { useApiForm } from "@/components/forms/use-api-form";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { useToast } from "@/components/ui/toast";
import { changePassword, connectedSignInsQuery, sessionsQuery } from "@/lib/client/people";

/** Renders nothing for people without a password, who sign in with a provider. */
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
  const { toast } = useToast();
  const form = useApiForm({
    values: { current: "", password: "" },
    schema: async () => (await import("./new-password")).NewPassword,
    send: changePassword,
    refresh: [sessionsQuery.queryKey],
    onDone: () => {
      toast({ tone: "success", title: "Your password is changed.", description: "Your other sessions have ended." });
      onDone();
    },
  });
  const { errors } = form.formState;
  const values = form.watch();
  return (
    <FormDialog
      form={form}
      title="Change password"
      description="Your other sessions end. API tokens keep working."
      action="Change password"
    >
      <PasswordField
        label="Current password"
        value={values.current}
        onChange={({ target }) => form.setValue("current", target.value)}
        autoComplete="current-password"
        error={errors.current?.message}
      />
      <PasswordField
        label="New password"
        value={values.password}
        onChange={({ target }) => form.setValue("password", target.value)}
        autoComplete="new-password"
        error={errors.password?.message}
        help="At least 12 characters."
      />
    </FormDialog>
  );
}
