import type { Metadata } from "next";
import { DeadSetupLink, SetupForm } from "@/components/auth/setup-form";

export const metadata: Metadata = { title: "Set up" };

type SetupPageProps = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export default async function SetupPage({ searchParams }: SetupPageProps) {
  const { token } = await searchParams;
  return typeof token === "string" && token !== "" ? <SetupForm token={token} /> : <DeadSetupLink />;
}
