import { sendArchive } from "@/lib/distribution/clawhub/answer-claw";
import { DownloadQuery } from "@/lib/distribution/clawhub/schema";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "public",
  agents: "open",
  limits: "distribution",
  errors: "text",
  summary: "ClawHub: a version as a ZIP",
  query: DownloadQuery,
  media: ["application/zip"],
  also: { 206: { description: "The requested byte range" } },
  handle: sendArchive,
});
