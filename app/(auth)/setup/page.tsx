import type { Metadata } from "next";
import { DeadSetupLink, SetupForm } from "@/components/auth/setup-form";
import { SetupNeeded } from "@/components/auth/setup-needed";
import { isSetUp } from "@/lib/http/page-actor";

export const metadata: Metadata = { title: "Set up" };

type SetupPageProps = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export default async function SetupPage({ searchParams }: SetupPageProps) {
  const { token } = await searchParams;
  if (typeof token === "string" && token !== "") return <SetupForm token={token} />;
  return (await isSetUp()) ? <DeadSetupLink /> : <SetupNeeded />;
}
