import { ClawUser } from "@/lib/distribution/clawhub/answers";
import { whoAmI } from "@/lib/distribution/clawhub/who-am-i";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "read",
  agents: "open",
  errors: "text",
  summary: "ClawHub: person of the token",
  answer: ClawUser,
  handle: ({ ctx }) => whoAmI(ctx),
});
