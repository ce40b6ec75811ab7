import type { Metadata } from "next";
import { ConsentForm } from "@/components/auth/consent-form";
import { AuthorizationRequest } from "@/lib/auth/oauth/schema";
import { requirePageActor } from "@/lib/http/page-actor";

export const metadata: Metadata = { title: "Let a program in" };

type AuthorizePageProps = { searchParams: Promise<Record<string, string | string[] | undefined>> };

/** Where a program sends the browser of somebody whose rights it wants to use. */
export default async function AuthorizePage({ searchParams }: AuthorizePageProps) {
  const { name } = await requirePageActor();
  const given = Object.entries(await searchParams).filter(([, value]) => typeof value === "string");
  const parsed = AuthorizationRequest.safeParse(Object.fromEntries(given));
  // Sizes are all that can be wrong here; an empty request is refused with a sentence.
  return <ConsentForm request={parsed.data ?? AuthorizationRequest.parse({})} personName={name} />;
}
