import type { z } from "zod";
import type { AuthorizationRequest, Consent, ConsentDecided, DecideConsentInput } from "@/lib/auth/oauth/schema";
import type { DeviceDecision, DeviceLogin } from "@/lib/auth/schema";
import { answerOf, api, sendPost, withQuery } from "./api";
import { answerQuery } from "./queries";

export const consentQuery = (request: AuthorizationRequest) =>
  answerQuery(["oauth-consent", request], withQuery("/api/oauth/consent", request), answerOf<Consent>(), {
    retry: false,
  });

/** Returns the address to redirect to. */
export const decideConsent = (input: DecideConsentInput) =>
  sendPost("/api/oauth/consent", answerOf<z.infer<typeof ConsentDecided>>(), input);

const addressOf = (userCode: string) => `/api/device-logins/${encodeURIComponent(userCode)}`;

export const findDeviceLogin = (userCode: string) => api(addressOf(userCode), { shape: answerOf<DeviceLogin>() });

export const decideDeviceLogin = (userCode: string, decision: DeviceDecision["decision"]) =>
  api<void>(addressOf(userCode), { method: "POST", body: { decision } });
