import { ClientActivity, listClientActivity } from "@/lib/distribution/client-activity";
import { route } from "@/lib/http/route";

/** Address in earlier releases. */
export const addresses = ["/api/doors/seen"];

export const GET = route({
  access: "read",
  summary: "Clients that called, by protocol, with the time of their last call",
  answer: ClientActivity,
  answersFrom: "rows",
  handle: ({ ctx }) => listClientActivity(ctx),
});
