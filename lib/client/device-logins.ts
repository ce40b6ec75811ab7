import { z } from "zod";
import { type DeviceDecision, DeviceLogin } from "@/lib/auth/schema";
import { api } from "./api";

export type { DeviceDecision, DeviceLogin };

const addressOf = (userCode: string) => `/api/device-logins/${encodeURIComponent(userCode)}`;

/** The program that shows this code, while it waits. */
export function findDeviceLogin(userCode: string): Promise<DeviceLogin> {
  return api(addressOf(userCode), { schema: DeviceLogin });
}

export function decideDeviceLogin(userCode: string, decision: DeviceDecision["decision"]): Promise<unknown> {
  return api(addressOf(userCode), { method: "POST", body: { decision }, schema: z.unknown() });
}
