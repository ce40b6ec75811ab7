import { ClawDone } from "@/lib/distribution/clawhub/answers";
import { noteInstall } from "@/lib/distribution/clawhub/record-use";
import { TelemetryInput } from "@/lib/distribution/clawhub/schema";
import { route } from "@/lib/http/route";

export const POST = route({
  access: "public",
  agents: "open",
  limits: "distribution",
  errors: "text",
  summary: "ClawHub: report an install",
  body: TelemetryInput,
  maxBodyBytes: 16 * 1024,
  answer: ClawDone,
  handle: ({ ctx, body, request }) => noteInstall(ctx, request, body),
});
