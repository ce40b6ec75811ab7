import { ClawUser } from "@/lib/distribution/clawhub/answers";
import { whoAmI } from "@/lib/distribution/clawhub/who-am-i";
import { plainErrors } from "@/lib/http/plain-errors";
import { route } from "@/lib/http/route";

export const GET = plainErrors(
  route({
    access: "read",
    agents: "open",
    summary: "ClawHub: person of the token",
    answer: ClawUser,
    handle: ({ ctx }) => whoAmI(ctx),
  }),
);
