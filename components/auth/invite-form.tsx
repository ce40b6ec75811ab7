"use client";

import Link from "next/link";
import { type FormEvent, useState } from "react";
import { z } from "zod";
import { errorText } from "@/components/state/describe-error";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import type { SignInWays } from "@/lib/auth/providers/schema";
import { ApiError, api } from "@/lib/client/api";
import { fieldSentence } from "./field-sentence";
import { goTo } from "./go-to";
import { isDeadLink } from "./link-problem";
import { MessagePage } from "./message-page";
import { minPasswordLength, newPasswordProblem } from "./new-password";
import { PasswordField } from "./password-field";
import { ProviderButtons } from "./provider-buttons";
import { signIn } from "./session";

const Accepted = z.object({ email: z.string() });

/** Sets the password of an invited person, then signs in; or lets them sign in with a provider that knows their address. */
export function InviteForm({ token, ways }: { token: string; ways: SignInWays }) {
  const [password, setPassword] = useState("");
  const [pending, setPending] = useState(false);
  const [deadReason, setDeadReason] = useState<string | null>(null);
  const [problem, setProblem] = useState<string>();
  const [failure, setFailure] = useState<string | null>(null);

  const submit = async () => {
    const refused = newPasswordProblem(password);
    setProblem(refused);
    setFailure(null);
    if (refused) return;
    setPending(true);
    try {
      const { email } = await api(`/api/invites/${encodeURIComponent(token)}`, {
        method: "POST",
        body: { password },
        schema: Accepted,
        signInOn401: false,
      });
      const outcome = await signIn({ email, password }).catch(() => ({ ok: false }));
      goTo(outcome.ok ? "/skills" : "/sign-in");
    } catch (error) {
      setPending(false);
      if (isDeadLink(error)) return setDeadReason(errorText(error));
      const onPassword = error instanceof ApiError ? error.fieldError("password") : undefined;
      setProblem(onPassword && fieldSentence("password", onPassword));
      setFailure(onPassword ? null : errorText(error));
    }
  };

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    void submit();
  };

  if (deadReason !== null) return <DeadInviteLink reason={deadReason} />;
  return (
    <>
      <h1>Join Skillgate</h1>
      <p className="mt-1 text-muted-foreground">{invitation(ways)}</p>
      {failure ? (
        <Notice tone="danger" announce className="mt-5">
          {failure}
        </Notice>
      ) : null}
      {ways.providers.length > 0 ? (
        <div className="mt-5">
          <ProviderButtons providers={ways.providers} next="/skills" onFailure={setFailure} />
        </div>
      ) : null}
      {ways.password ? (
        <form method="post" onSubmit={onSubmit} className="mt-5 flex flex-col gap-4">
          <PasswordField
            label="New password"
            value={password}
            onChange={(event) => setPassword(event.target.value)}
            autoComplete="new-password"
            error={problem}
            help={`At least ${minPasswordLength} characters. A sentence is easy to remember.`}
          />
          <Button type="submit" variant="primary" size="lg" pending={pending} className="mt-1 w-full">
            Set password and sign in
          </Button>
        </form>
      ) : null}
    </>
  );
}

function invitation({ password, providers }: SignInWays): string {
  if (providers.length === 0) return "You were invited. Choose a password; only you will know it.";
  const byAddress = "Sign in with an account that has the email address you were invited by";
  return `You were invited. ${byAddress}${password ? ", or choose a password; only you will know it" : ""}.`;
}

function DeadInviteLink({ reason }: { reason: string }) {
  return (
    <MessagePage
      title="This invitation does not work"
      actions={
        <Button asChild variant="primary">
          <Link href="/sign-in">Go to sign-in</Link>
        </Button>
      }
    >
      <p className="text-foreground">{reason}</p>
      <p>If you have set a password already, sign in. If not, ask an admin for a new link.</p>
    </MessagePage>
  );
}
