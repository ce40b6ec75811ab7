import { z } from "zod";
import { IsoTime } from "@/lib/core/schema";

/** What a program signed in by a code may get: never to decide, never to administer. */
export const DeviceScope = z.enum(["read", "run", "write"]);
export type DeviceScope = z.infer<typeof DeviceScope>;

/** What a program sends to begin (RFC 8628, section 3.1, as JSON); what is not known is ignored. */
export const DeviceCodeInput = z.object({
  scope: z.string().max(200).optional(),
  label: z.string().max(200).optional(),
});
export type DeviceCodeInput = z.infer<typeof DeviceCodeInput>;

export const DeviceTokenInput = z.object({
  device_code: z.string().max(200),
  grant_type: z.literal("urn:ietf:params:oauth:grant-type:device_code"),
});

/** Eight letters that are hard to mix up; small letters, blanks and a missing hyphen are forgiven. */
export const UserCode = z
  .string()
  .max(20)
  .transform((text) => text.toUpperCase().replace(/[^A-Z]/g, ""))
  .refine((text) => /^[BCDFGHJKLMNPQRSTVWXZ]{8}$/.test(text), "must be eight letters, such as WDJB-MJHT")
  .transform((text) => `${text.slice(0, 4)}-${text.slice(4)}`);

export const DeviceLogin = z.object({
  userCode: z.string(),
  clientName: z.string(),
  scopes: z.array(DeviceScope),
  /** Where the program asked from. */
  address: z.string().nullable(),
  createdAt: IsoTime,
  expiresAt: IsoTime,
});
export type DeviceLogin = z.infer<typeof DeviceLogin>;

export const DeviceDecision = z.strictObject({ decision: z.enum(["approve", "deny"]) });
export type DeviceDecision = z.infer<typeof DeviceDecision>;

/** RFC 8628, section 3.2. */
export const DeviceCode = z.object({
  device_code: z.string(),
  user_code: z.string(),
  verification_uri: z.string(),
  verification_uri_complete: z.string(),
  expires_in: z.number(),
  interval: z.number(),
});
/** RFC 6749, section 5.1. */
export const DeviceToken = z.object({ access_token: z.string(), token_type: z.literal("Bearer"), scope: z.string() });
