import { z } from "zod";
import { route } from "@/lib/http/route";
import { AddSshSignatureInput, SshSignature, SshSignatureList } from "@/lib/review/attest/schema";
import { addSshSignature, listSshSignatures } from "@/lib/review/attest/ssh-signatures";

const params = z.object({ id: z.string(), digest: z.string() });

export const GET = route({
  access: "read",
  agents: "open",
  summary: "SSH signatures of the approvers beside the attestation of a version",
  params,
  answer: SshSignatureList,
  answersFrom: "rows",
  handle: ({ ctx, params: place }) => listSshSignatures(ctx, place),
});

export const POST = route({
  access: "write",
  summary: "Add your SSH signature to an approval that you signed",
  params,
  body: AddSshSignatureInput,
  answer: SshSignature,
  status: 201,
  handle: ({ ctx, params: place, body }) => addSshSignature(ctx, { ...place, ...body }),
});
