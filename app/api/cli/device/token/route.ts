import { exchangeDeviceCode } from "@/lib/auth/device-login";
import { DeviceToken, DeviceTokenInput } from "@/lib/auth/schema";
import { plainErrors } from "@/lib/http/plain-errors";
import { route } from "@/lib/http/route";

const headers = { "cache-control": "no-store" };

export const POST = plainErrors(
  route({
    access: "public",
    summary: "The same program fetches its token, once somebody has let it in (RFC 8628)",
    body: DeviceTokenInput,
    maxBodyBytes: 4 * 1024,
    answer: DeviceToken,
    handle: async ({ ctx, body }) => {
      const answer = await exchangeDeviceCode(ctx, body.device_code);
      if ("error" in answer) return Response.json(answer, { status: 400, headers });
      const { token, scopes } = answer;
      return Response.json({ access_token: token, token_type: "Bearer", scope: scopes.join(" ") }, { headers });
    },
  }),
);
