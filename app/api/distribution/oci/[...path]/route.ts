import { z } from "zod";
import { refuseWrite, serveRegistry } from "@/lib/distribution/oci/serve-registry";
import { route } from "@/lib/http/route";
import { JsonObject } from "@/lib/skill-format/schema";

/** `/v2/<publisher>/<skill>/manifests/<tag or digest>` and so on, with a slash at the end for uploads. */
export const addresses = ["/v2/:path+/", "/v2/:path+"];

const params = z.object({ path: z.string().max(600) });

export const GET = route({
  access: "public",
  agents: "open",
  limits: "distribution",
  errors: "registry",
  summary: "Approved skills as OCI artifacts: manifests, blobs, tags and referrers",
  params,
  query: z.object({
    n: z.string().max(20).optional(),
    last: z.string().max(300).optional(),
    artifactType: z.string().max(300).optional(),
  }),
  media: ["application/vnd.oci.image.manifest.v1+json", "application/octet-stream"],
  answer: JsonObject,
  also: { 206: { description: "The requested byte range" } },
  handle: ({ ctx, params: { path }, query, request }) => serveRegistry({ ctx, request }, path, query),
});

const refused = {
  access: "public",
  limits: "distribution",
  errors: "registry",
  summary: "Refused: this registry is read only",
  params,
  hidden: true,
  handle: ({ params: { path } }: { params: z.infer<typeof params> }) => refuseWrite(path),
} as const;

export const POST = route(refused);
export const PUT = route(refused);
export const PATCH = route(refused);
export const DELETE = route(refused);
