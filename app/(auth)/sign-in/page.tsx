import type { Metadata } from "next";
import { SignInForm } from "@/components/auth/sign-in-form";

export const metadata: Metadata = { title: "Sign in" };

type SignInPageProps = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export default async function SignInPage({ searchParams }: SignInPageProps) {
  const { next, callbackUrl, error } = await searchParams;
  return (
    <>
      <h1>Sign in</h1>
      <SignInForm next={one(next) ?? one(callbackUrl)} errorCode={one(error)} />
    </>
  );
}

function one(value: string | string[] | undefined): string | null {
  return (Array.isArray(value) ? value[0] : value) ?? null;
}
