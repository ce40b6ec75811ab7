import { z } from "zod";
import { acceptInvite } from "@/lib/auth/people/invites";
import { AcceptedInvite, AcceptInviteInput, LinkToken } from "@/lib/auth/schema";
import { route } from "@/lib/http/route";

export const POST = route({
  access: "public",
  summary: "Accept an invitation by setting a password",
  params: z.object({ token: LinkToken }),
  body: AcceptInviteInput,
  maxBodyBytes: 16 * 1024,
  answer: AcceptedInvite,
  handle: ({ ctx, params, body }) => acceptInvite(ctx, { token: params.token, password: body.password }),
});
