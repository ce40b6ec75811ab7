import { completeSetup } from "@/lib/auth/people/setup";
import { SetupAnswer, SetupInput } from "@/lib/auth/schema";
import { route } from "@/lib/http/route";

export const POST = route({
  access: "public",
  summary: "Create the first admin with the link that the server printed",
  body: SetupInput,
  maxBodyBytes: 16 * 1024,
  answer: SetupAnswer,
  status: 201,
  handle: async ({ ctx, body }) => ({ user: await completeSetup(ctx, body) }),
});
