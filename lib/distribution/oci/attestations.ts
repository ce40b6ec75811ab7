import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { attestationOf } from "@/lib/review/attest/attestations";
import { signaturesBeside } from "@/lib/review/attest/ssh-signatures";
import { bundleApproval } from "@/lib/review/signatures";
import { countingApprovals } from "@/lib/skills/approval/approval-round";
import { loadFilesAndDecisions, loadVersion } from "@/lib/skills/skill-access";
import type { Published } from "../published";
import type { Attestation } from "./write-manifest";

const ENVELOPE_TYPE = "application/vnd.dsse.envelope.v1+json";
const SSH_SIGNATURES_TYPE = "application/vnd.skillgate.ssh-signatures.v1+json";
const APPROVAL_TYPE = "application/vnd.skillgate.approval.v1+json";

/**
 * The attestations of a version that the viewer is offered: its approval in force with the reviewers' signatures, and as an
 * in-toto statement in a DSSE envelope, both as `npm run verify-approval` reads them; and the SSH signatures of approvers, if there are any. The
 * time of the first is that of the last signature, so that the bytes stay the same; those of the second change when its key is rotated.
 * None for an approval without signatures.
 */
export async function attestationsOf(ctx: Ctx, { skill, version: { id } }: Published): Promise<Attestation[]> {
  const stored = await loadVersion(ctx, id);
  if (stored === null) return [];
  const version = { ...stored, ...(await loadFilesAndDecisions(ctx, id)) };
  const last = Math.max(...countingApprovals(version).map(({ createdAt }) => createdAt.getTime()));
  const bundle = await bundleApproval(ctx, { skill, version }).catch(nullIfUnsigned);
  if (bundle === null) return [];
  const bytesOf = (value: object) => new TextEncoder().encode(JSON.stringify(value));
  const envelope = await attestationOf(ctx, { skill, version });
  const items = await signaturesBeside(ctx, envelope);
  return [
    {
      artifactType: APPROVAL_TYPE,
      title: "approval.json",
      bytes: bytesOf({ ...bundle, exportedAt: new Date(last).toISOString() }),
    },
    { artifactType: ENVELOPE_TYPE, title: "attestation.intoto.json", bytes: bytesOf(envelope) },
    ...(items.length === 0
      ? []
      : [{ artifactType: SSH_SIGNATURES_TYPE, title: "ssh-signatures.json", bytes: bytesOf({ items }) }]),
  ];
}

function nullIfUnsigned(error: unknown): null {
  if (error instanceof AppError && error.code === "not_found") return null;
  throw error;
}
