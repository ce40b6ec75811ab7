import { inviteUser } from "@/lib/auth/people/invites";
import { listUsers } from "@/lib/auth/people/users";
import { InvitedUser, InviteUserInput, UserPage } from "@/lib/auth/schema";
import { getEnv } from "@/lib/core/env";
import { PageQuery } from "@/lib/core/schema";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "admin",
  summary: "List all accounts",
  query: PageQuery,
  answer: UserPage,
  answersFrom: "rows",
  handle: ({ ctx, query }) => listUsers(ctx, query),
});

export const POST = route({
  access: "admin",
  summary: "Invite a person by link",
  body: InviteUserInput,
  answer: InvitedUser,
  status: 201,
  handle: async ({ ctx, body }) => {
    const { user, token } = await inviteUser(ctx, body);
    return { user, inviteUrl: `${getEnv().publicUrl}/invite/${token}` };
  },
});
