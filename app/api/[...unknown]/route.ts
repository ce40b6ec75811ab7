import { AppError } from "@/lib/core/errors";
import { route } from "@/lib/http/route";

/** Unknown addresses of the API get a problem instead of a page. */
const nothing = route({
  access: "public",
  agents: "open",
  summary: "Unknown address",
  hidden: true,
  handle: ({ request }) => {
    throw new AppError("not_found", `There is nothing at ${new URL(request.url).pathname.slice(0, 200)}.`);
  },
});

export const GET = nothing;
export const POST = nothing;
export const PUT = nothing;
export const PATCH = nothing;
export const DELETE = nothing;
