import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { safeNext } from "@/components/auth/safe-next";
import { SignInForm } from "@/components/auth/sign-in-form";
import { findPageActor, isSetUp } from "@/lib/http/page-actor";
import { pageSignInWays } from "@/lib/http/page-sign-in-methods";

export const metadata: Metadata = { title: "Sign in" };

type SignInPageProps = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export default async function SignInPage({ searchParams }: SignInPageProps) {
  const { next, callbackUrl, error, provider } = await searchParams;
  if (!(await isSetUp())) redirect("/setup");
  // After a refusal by a provider, the page shows the reason even to people who are still signed in.
  if (provider === undefined && (await findPageActor())) redirect(safeNext(one(next)));
  return (
    <>
      <h1>Sign in</h1>
      <SignInForm
        ways={await pageSignInWays()}
        next={one(next) ?? one(callbackUrl)}
        errorCode={one(error)}
        errorProvider={one(provider)}
      />
    </>
  );
}

function one(value: string | string[] | undefined): string | null {
  return (Array.isArray(value) ? value[0] : value) ?? null;
}
