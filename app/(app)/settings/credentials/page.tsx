import type { Metadata } from "next";
import { CredentialSection } from "@/components/settings/credential-section";
import { requirePageActor } from "@/lib/http/page-actor";

export const metadata: Metadata = { title: "Credentials" };

export default async function Credentials() {
  await requirePageActor(["admin"]);
  return <CredentialSection />;
}
