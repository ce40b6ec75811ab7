import { decideConsent, getConsent } from "@/lib/auth/oauth/consent";
import { AuthorizationRequest, Consent, ConsentDecided, DecideConsentInput } from "@/lib/auth/oauth/schema";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "session",
  summary: "Request of a program that signs in by browser, and the personas to choose from",
  query: AuthorizationRequest,
  answer: Consent,
  handle: ({ ctx, query }) => getConsent(ctx, query),
});

export const POST = route({
  access: "session",
  summary: "Approve the program with a persona, or refuse it; answers the URL to open next",
  body: DecideConsentInput,
  answer: ConsentDecided,
  handle: ({ ctx, body }) => decideConsent(ctx, body),
});
