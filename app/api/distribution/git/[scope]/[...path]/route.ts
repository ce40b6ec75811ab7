import { GitParams, MAX_GIT_BODY_BYTES, serveGit } from "@/lib/distribution/git/serve-git";
import { route } from "@/lib/http/route";

export const addresses = [":scope/git/catalog.git/:path+"];

export const GET = route({
  access: "public",
  agents: "open",
  limits: "distribution",
  errors: "git",
  summary: "Approved skills as a git repository: refs",
  params: GitParams,
  media: ["application/x-git-upload-pack-advertisement"],
  handle: serveGit,
});

export const POST = route({
  access: "public",
  agents: "open",
  limits: "distribution",
  errors: "git",
  summary: "Approved skills as a git repository: fetch",
  params: GitParams,
  rawBody: { contentType: "application/x-git-upload-pack-request" },
  maxBodyBytes: MAX_GIT_BODY_BYTES,
  media: ["application/x-git-upload-pack-result"],
  handle: serveGit,
});
