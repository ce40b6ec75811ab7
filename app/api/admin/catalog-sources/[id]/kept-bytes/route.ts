import { KeepBytesInput, KeptBytes } from "@/lib/catalog/schema";
import { getKept, setKept } from "@/lib/catalog/sources/keep-source";
import { SourceParams } from "@/lib/catalog/sources/schema";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "admin",
  summary: "Whether all files of a catalog source are stored here",
  params: SourceParams,
  answer: KeptBytes,
  handle: ({ ctx, params }) => getKept(ctx, params.id),
});

export const PUT = route({
  access: "admin",
  summary: "Store all files of a catalog source from now on, or stop that",
  params: SourceParams,
  body: KeepBytesInput,
  answer: KeptBytes,
  handle: ({ ctx, params, body }) => setKept(ctx, params.id, body),
});
