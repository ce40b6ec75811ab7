import { createInvite } from "@/lib/auth/people/invites";
import { IdParams, InvitedUser } from "@/lib/auth/schema";
import { getEnv } from "@/lib/core/env";
import { route } from "@/lib/http/route";

export const POST = route({
  access: "admin",
  summary: "Create a new link for an invited person",
  params: IdParams,
  answer: InvitedUser,
  status: 201,
  handle: async ({ ctx, params }) => {
    const { user, token } = await createInvite(ctx, params.id);
    return { user, inviteUrl: `${getEnv().publicUrl}/invite/${token}` };
  },
});
