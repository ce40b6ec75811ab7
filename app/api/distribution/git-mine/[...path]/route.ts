import { GitParams, MAX_GIT_BODY_BYTES, serveGit } from "@/lib/distribution/git/serve-git";
import { route } from "@/lib/http/route";

const params = GitParams.omit({ scope: true });

/** Git sends credentials only after a 401, so this route requires sign-in. */
export const addresses = ["/git/mine.git/:path+"];

export const GET = route({
  access: "read",
  agents: "open",
  limits: "distribution",
  errors: "git",
  summary: "Your approved skills as a git repository: refs",
  params,
  media: ["application/x-git-upload-pack-advertisement"],
  handle: ({ params: { path }, ...asked }) => serveGit({ ...asked, params: { scope: "root", path } }),
});

export const POST = route({
  access: "read",
  agents: "open",
  limits: "distribution",
  errors: "git",
  summary: "Your approved skills as a git repository: fetch",
  params,
  rawBody: { contentType: "application/x-git-upload-pack-request" },
  maxBodyBytes: MAX_GIT_BODY_BYTES,
  media: ["application/x-git-upload-pack-result"],
  handle: ({ params: { path }, ...asked }) => serveGit({ ...asked, params: { scope: "root", path } }),
});
