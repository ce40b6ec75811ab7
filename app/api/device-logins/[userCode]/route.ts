import { z } from "zod";
import { decideDeviceLogin, getDeviceLogin } from "@/lib/auth/device-login";
import { DeviceDecision, DeviceLogin, UserCode } from "@/lib/auth/schema";
import { route } from "@/lib/http/route";

const params = z.object({ userCode: UserCode });

export const GET = route({
  access: "session",
  summary: "The program that waits for a sign-in with this code",
  params,
  answer: DeviceLogin,
  handle: ({ ctx, params }) => getDeviceLogin(ctx, params.userCode),
});

export const POST = route({
  access: "session",
  summary: "Approve or refuse the sign-in of that program as you",
  params,
  body: DeviceDecision,
  status: 204,
  handle: ({ ctx, params, body }) => decideDeviceLogin(ctx, params.userCode, body),
});
