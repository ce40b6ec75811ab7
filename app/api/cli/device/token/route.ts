import { exchangeDeviceCode } from "@/lib/auth/device-login";
import { DeviceToken, DeviceTokenInput } from "@/lib/auth/schema";
import { route } from "@/lib/http/route";

const headers = { "cache-control": "no-store" };

export const POST = route({
  access: "public",
  errors: "text",
  summary: "Fetch the token of a device sign-in once a person has approved it (RFC 8628)",
  body: DeviceTokenInput,
  maxBodyBytes: 4 * 1024,
  answer: DeviceToken,
  handle: async ({ ctx, body }) => {
    const answer = await exchangeDeviceCode(ctx, body.device_code);
    if ("error" in answer) return Response.json(answer, { status: 400, headers });
    const { token, scopes } = answer;
    return Response.json({ access_token: token, token_type: "Bearer", scope: scopes.join(" ") }, { headers });
  },
});
