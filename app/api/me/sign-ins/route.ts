import { listConnectedSignIns } from "@/lib/auth/providers/connected-sign-ins";
import { ConnectedSignIns } from "@/lib/auth/providers/schema";
import { route } from "@/lib/http/route";
import { signInProviders } from "@/lib/http/sign-in-rules";

export const GET = route({
  access: "session",
  summary: "List the provider accounts with which you sign in",
  answer: ConnectedSignIns,
  answersFrom: "rows",
  handle: ({ ctx }) => listConnectedSignIns(ctx, signInProviders()),
});
