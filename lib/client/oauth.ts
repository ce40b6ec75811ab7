import { queryOptions } from "@tanstack/react-query";
import { type AuthorizationRequest, Consent, ConsentDecided, type DecideConsentInput } from "@/lib/auth/oauth/schema";
import { api, withQuery } from "./api";

export type { AuthorizationRequest, Consent };

/** What a program that signs in by browser asks for. */
export const consentQuery = (request: AuthorizationRequest) =>
  queryOptions({
    queryKey: ["oauth-consent", request],
    queryFn: ({ signal }) => api(withQuery("/api/oauth/consent", request), { schema: Consent, signal }),
    retry: false,
  });

/** Answers where the browser goes next. */
export function decideConsent(input: DecideConsentInput): Promise<{ returnTo: string }> {
  return api("/api/oauth/consent", { method: "POST", body: input, schema: ConsentDecided });
}
