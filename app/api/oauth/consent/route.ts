import { decideConsent, getConsent } from "@/lib/auth/oauth/consent";
import { AuthorizationRequest, Consent, ConsentDecided, DecideConsentInput } from "@/lib/auth/oauth/schema";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "session",
  summary: "What a program that signs in by browser asks for, and the personas it could act under",
  query: AuthorizationRequest,
  answer: Consent,
  handle: ({ ctx, query }) => getConsent(ctx, query),
});

export const POST = route({
  access: "session",
  summary: "Let the program in under a persona, or not; answers where the browser goes",
  body: DecideConsentInput,
  answer: ConsentDecided,
  handle: ({ ctx, body }) => decideConsent(ctx, body),
});
