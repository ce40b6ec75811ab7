import { SignedOut } from "@/lib/auth/schema";
import { signOutEverywhere } from "@/lib/auth/sessions/sessions";
import { route } from "@/lib/http/route";

export const POST = route({
  access: "session",
  summary: "End all your sessions",
  answer: SignedOut,
  handle: ({ ctx }) => signOutEverywhere(ctx),
});
