import type { Metadata } from "next";
import { ConsentForm } from "@/components/auth/consent-form";
import { DataProviders } from "@/components/state/data-providers";
import { AuthorizationRequest } from "@/lib/auth/oauth/schema";
import { requirePageActor } from "@/lib/http/page-actor";

export const metadata: Metadata = { title: "Authorise a program" };

type AuthorizePageProps = { searchParams: Promise<Record<string, string | string[] | undefined>> };

/** The OAuth authorization endpoint: a person authorises a program. */
export default async function AuthorizePage({ searchParams }: AuthorizePageProps) {
  const { name } = await requirePageActor();
  const given = Object.entries(await searchParams).filter(([, value]) => typeof value === "string");
  const parsed = AuthorizationRequest.safeParse(Object.fromEntries(given));
  // Only sizes can be wrong here; the server refuses an empty request with a message.
  return (
    <DataProviders>
      <ConsentForm request={parsed.data ?? AuthorizationRequest.parse({})} personName={name} />
    </DataProviders>
  );
}
