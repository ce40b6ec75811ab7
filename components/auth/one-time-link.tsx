import Link from "next/link";
import { type FormEvent, type ReactNode, useState } from "react";
import { type DefaultValues, type Path, useForm } from "react-hook-form";
import { errorText } from "@/components/state/describe-error";
import { Button } from "@/components/ui/button";
import { ApiError } from "@/lib/client/api";
import { goTo } from "./go-to";
import { MessagePage } from "./message-page";
import { newPasswordProblem } from "./new-password-problem";
import { signIn } from "./session";

/** The form of a one-time link: `accept` sets the password and returns the email address to sign in with. */
export function useLinkForm<Values extends { password: string }>(
  values: Values,
  accept: (values: Values) => Promise<{ email: string }>,
) {
  const form = useForm<Values>({ defaultValues: values as DefaultValues<Values>, reValidateMode: "onSubmit" });
  const [deadReason, setDeadReason] = useState<string | null>(null);
  const { errors, isSubmitting, isSubmitSuccessful } = form.formState;

  const send = form.handleSubmit(async (given) => {
    const problem = newPasswordProblem(given.password);
    if (problem) return form.setError("password" as Path<Values>, { message: problem });
    try {
      const { email } = await accept(given);
      const outcome = await signIn({ email, password: given.password }).catch(() => ({ ok: false }));
      goTo(outcome.ok ? "/skills" : "/sign-in");
    } catch (error) {
      if (isDeadLink(error)) return setDeadReason(errorText(error));
      const atFields = error instanceof ApiError ? error.errors.filter(({ path }) => Object.hasOwn(values, path)) : [];
      if (atFields.length === 0) form.setError("root", { message: errorText(error) });
      for (const { path, message } of atFields) {
        form.setError(path as Path<Values>, { message: fieldSentence(path, message) });
      }
    }
  });
  return {
    ...form,
    onSubmit: (event: FormEvent) => {
      event.preventDefault();
      form.clearErrors();
      void send();
    },
    // Still pending while the next page loads.
    pending: isSubmitting || isSubmitSuccessful,
    deadReason,
    failure: errors.root?.message ?? null,
  };
}

function isDeadLink(error: unknown): boolean {
  return error instanceof ApiError && [401, 403, 404, 409, 410].includes(error.status) && error.code !== "cross_origin";
}

/** "must have at least 12 characters" → "Password must have at least 12 characters." */
function fieldSentence(field: string, message: string): string {
  const startsLow = /^\p{Ll}/u.test(message);
  return startsLow ? `${field.charAt(0).toUpperCase()}${field.slice(1)} ${message}.` : message;
}

type DeadLinkProps = { title: string; reason: string | undefined; children: ReactNode };

export function DeadLink({ title, reason, children }: DeadLinkProps) {
  return (
    <MessagePage
      title={title}
      actions={
        <Button asChild variant="primary">
          <Link href="/sign-in">Go to sign-in</Link>
        </Button>
      }
    >
      {reason ? <p className="text-foreground">{reason}</p> : null}
      {children}
    </MessagePage>
  );
}
