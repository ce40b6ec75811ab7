import { queryOptions } from "@tanstack/react-query";
import { z } from "zod";
import { type DeviceDecision, DeviceLogin } from "@/lib/auth/device-login/schema";
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

export type { DeviceDecision, DeviceLogin };

const addressOf = (userCode: string) => `/api/device-logins/${encodeURIComponent(userCode)}`;

/** The program that shows this code, while it waits. */
export function findDeviceLogin(userCode: string): Promise<DeviceLogin> {
  return api(addressOf(userCode), { schema: DeviceLogin });
}

export function decideDeviceLogin(userCode: string, decision: DeviceDecision["decision"]): Promise<unknown> {
  return api(addressOf(userCode), { method: "POST", body: { decision }, schema: z.unknown() });
}
