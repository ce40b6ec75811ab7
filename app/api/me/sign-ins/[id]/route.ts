import { disconnectSignIn } from "@/lib/auth/providers/connected-sign-ins";
import { IdParams } from "@/lib/auth/schema";
import { route } from "@/lib/http/route";
import { signInProviders, signInRules } from "@/lib/http/sign-in-rules";

export const DELETE = route({
  access: "session",
  summary: "Disconnect an account with which you sign in",
  params: IdParams,
  status: 204,
  handle: async ({ ctx, params }) => {
    const { passwords } = await signInRules(ctx);
    await disconnectSignIn(ctx, { id: params.id, passwords, issuers: signInProviders().map(({ issuer }) => issuer) });
  },
});
