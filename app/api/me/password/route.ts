import { changePassword } from "@/lib/auth/people/change-password";
import { ChangePasswordInput } from "@/lib/auth/schema";
import { route } from "@/lib/http/route";

export const POST = route({
  access: "session",
  summary: "Change your password and end your other sessions",
  body: ChangePasswordInput,
  status: 204,
  handle: ({ ctx, body }) => changePassword(ctx, body),
});
