import { z } from "zod";
import { serveBase } from "@/lib/distribution/oci/serve-registry";
import { route } from "@/lib/http/route";

export const addresses = ["/v2/", "/v2"];

export const GET = route({
  access: "public",
  agents: "open",
  limits: "distribution",
  errors: "registry",
  summary: "Approved skills as OCI artifacts: whether the protocol is spoken",
  answer: z.object({}),
  handle: serveBase,
});
