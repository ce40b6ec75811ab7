import { AppError } from "@/lib/core/errors";
import { route } from "@/lib/http/route";

/** Other addresses of Anthropic's API answer in its format instead of a page. */
const nothing = route({
  access: "public",
  agents: "open",
  errors: "skills-api",
  summary: "Unknown address",
  hidden: true,
  handle: ({ request }) => {
    const path = new URL(request.url).pathname.slice(0, 200);
    throw new AppError("not_found", `There is nothing at ${path}. This server has the reads of /v1/skills only.`);
  },
});

export const GET = nothing;
export const POST = nothing;
export const PUT = nothing;
export const PATCH = nothing;
export const DELETE = nothing;
