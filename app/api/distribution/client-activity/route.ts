import { ClientActivity, listClientActivity } from "@/lib/distribution/client-activity";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "read",
  summary: "Which clients have called which doors, and when last",
  answer: ClientActivity,
  handle: ({ ctx }) => listClientActivity(ctx),
});
