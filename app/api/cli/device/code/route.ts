import { startDeviceLogin } from "@/lib/auth/device-login";
import { DeviceCode, DeviceCodeInput } from "@/lib/auth/schema";
import { publicAddress } from "@/lib/distribution/public-address";
import { route } from "@/lib/http/route";

export const POST = route({
  access: "public",
  errors: "text",
  summary: "Start the sign-in of a program without a browser (RFC 8628)",
  body: DeviceCodeInput,
  maxBodyBytes: 4 * 1024,
  answer: DeviceCode,
  handle: async ({ ctx, body }) => {
    const { deviceCode, userCode, expiresIn, interval } = await startDeviceLogin(ctx, body);
    const page = publicAddress("/cli/device");
    return {
      device_code: deviceCode,
      user_code: userCode,
      verification_uri: page,
      verification_uri_complete: `${page}#${userCode}`,
      expires_in: expiresIn,
      interval,
    };
  },
});
