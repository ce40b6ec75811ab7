import { IdParams } from "@/lib/auth/schema";
import { removeSshKey } from "@/lib/auth/ssh-keys";
import { route } from "@/lib/http/route";

export const DELETE = route({
  access: "session",
  summary: "Remove one of your SSH keys",
  params: IdParams,
  status: 204,
  handle: ({ ctx, params }) => removeSshKey(ctx, params.id),
});
