import type { Metadata } from "next";
import { InviteForm } from "@/components/auth/invite-form";
import { pageSignInWays } from "@/lib/http/page-sign-in-methods";

export const metadata: Metadata = { title: "Join" };

export default async function InvitePage({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params;
  return <InviteForm token={decodeURIComponent(token)} ways={await pageSignInWays()} />;
}
