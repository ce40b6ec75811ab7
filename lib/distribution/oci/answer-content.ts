import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { attestationOf } from "@/lib/review/attest/attestations";
import { signaturesBeside } from "@/lib/review/attest/ssh-signatures";
import { bundleApproval } from "@/lib/review/signatures";
import { countingApprovals } from "@/lib/skills/approval/approval-round";
import { loadFilesAndDecisions, loadVersion } from "@/lib/skills/skill-access";
import { assertUntampered, getArchive } from "../build-archive";
import { countInstall } from "../count-install";
import type { Viewer } from "../identify-viewer";
import type { Published } from "../published";
import { type Entry, findEntry, findTag, openRepository, packEntry, type Repository } from "./open-repository";
import type { RepositoryName } from "./parse-request";
import type { RegistryAnswer } from "./registry-answers";
import {
  type Attestation,
  digestOf,
  EMPTY_BYTES,
  EMPTY_DIGEST,
  INDEX_TYPE,
  indexOf,
  MANIFEST_TYPE,
  type Manifest,
  manifestOfAttestation,
} from "./write-manifest";

const ENVELOPE_TYPE = "application/vnd.dsse.envelope.v1+json";
const SSH_SIGNATURES_TYPE = "application/vnd.skillgate.ssh-signatures.v1+json";
const APPROVAL_TYPE = "application/vnd.skillgate.approval.v1+json";

/** A manifest by tag or digest: of a version, or of an attestation. The stored files are checked against the approval. */
export async function answerManifest(
  ctx: Ctx,
  name: RepositoryName,
  reference: { tag: string } | { digest: string },
): Promise<RegistryAnswer> {
  const repository = await openRepository(ctx, name);
  if ("tag" in reference) {
    const entry = findTag(repository, reference.tag);
    const { manifest } = await packEntry(ctx, repository, entry);
    return sendManifest(ctx, { entry, manifest, kind: "index" });
  }
  const { digest } = reference;
  const isWanted = ({ manifest }: { manifest: Manifest }) => manifest.digest === digest;
  const found = await findEntry(ctx, repository, { isWanted, code: "MANIFEST_UNKNOWN" });
  if (found !== null) return sendManifest(ctx, { entry: found, manifest: found.manifest, kind: "artifact" });
  const attested = await findAttestation(ctx, repository, isWanted);
  if (attested !== null) return sendManifest(ctx, { ...attested, kind: "artifact" });
  throw new AppError("not_found", `This repository has no manifest ${digest}.`, { rule: "MANIFEST_UNKNOWN" });
}

type Sent = { entry: Entry; manifest: Manifest; kind: RegistryAnswer["kind"] };

async function sendManifest(ctx: Ctx, { entry, manifest, kind }: Sent): Promise<RegistryAnswer> {
  await assertUntampered(ctx, entry.published);
  const headers = { "docker-content-digest": manifest.digest };
  return { body: manifest.bytes, contentType: MANIFEST_TYPE, kind, etag: manifest.digest, headers };
}

/** A blob: the empty configuration, the layer of a version, or an attestation. */
export async function answerBlob(
  viewer: Viewer,
  request: Request,
  { repository: name, digest }: { repository: RepositoryName; digest: string },
): Promise<RegistryAnswer> {
  const { ctx } = viewer;
  const repository = await openRepository(ctx, name);
  if (digest === EMPTY_DIGEST) return sendBlob(EMPTY_BYTES, digest);
  const isWanted = ({ layer }: { layer: { sha256: string } }) => `sha256:${layer.sha256}` === digest;
  const found = await findEntry(ctx, repository, { isWanted, code: "BLOB_UNKNOWN" });
  if (found !== null) {
    const { bytes } = await getArchive(ctx, found.published, "oci.tar.gz");
    await countInstall(viewer, found.published, "oci", request);
    return sendBlob(bytes, digest);
  }
  const attested = await findAttestation(ctx, repository, ({ attestation: { bytes } }) => digestOf(bytes) === digest);
  if (attested !== null) return sendBlob(attested.attestation.bytes, digest);
  throw new AppError("not_found", `This repository has no blob ${digest}.`, { rule: "BLOB_UNKNOWN" });
}

function sendBlob(body: Uint8Array<ArrayBuffer>, digest: string): RegistryAnswer {
  const headers = { "docker-content-digest": digest };
  return { body, contentType: "application/octet-stream", kind: "artifact", etag: digest, headers };
}

type Attested = { entry: Entry; attestation: Attestation; manifest: Manifest };

async function findAttestation(
  ctx: Ctx,
  repository: Repository,
  isWanted: (attested: Attested) => boolean,
): Promise<Attested | null> {
  for (const entry of repository.entries) {
    const { manifest } = await packEntry(ctx, repository, entry);
    const found = (await attestedBy(ctx, entry, manifest)).find(isWanted);
    if (found !== undefined) return found;
  }
  return null;
}

async function attestedBy(ctx: Ctx, entry: Entry, subject: Manifest): Promise<Attested[]> {
  const attestations = await attestationsOf(ctx, entry.published);
  return attestations.map((attestation) => ({
    ...{ entry, attestation },
    manifest: manifestOfAttestation(attestation, subject),
  }));
}

type Subject = {
  repository: RepositoryName;
  digest: string;
  artifactType: string | undefined;
  /** Whether an unknown repository has no referrers; otherwise it is `not_found`. */
  mayBeUnknown: boolean;
};

/** The attestations of a manifest; none for an unknown one, since the specification forbids 404. */
export async function answerReferrers(ctx: Ctx, subject: Subject): Promise<RegistryAnswer> {
  const { artifactType } = subject;
  const manifests = (await referrersOf(ctx, subject))
    .map(({ manifest }) => manifest)
    .filter((manifest) => artifactType === undefined || manifest.artifactType === artifactType);
  const headers: Record<string, string> = artifactType === undefined ? {} : { "oci-filters-applied": "artifactType" };
  return { body: indexOf(manifests), contentType: INDEX_TYPE, kind: "index", headers };
}

async function referrersOf(ctx: Ctx, { repository, digest, mayBeUnknown }: Subject): Promise<Attested[]> {
  const isWanted = ({ manifest }: { manifest: Manifest }) => manifest.digest === digest;
  try {
    const found = await findEntry(ctx, await openRepository(ctx, repository), { isWanted, code: "MANIFEST_UNKNOWN" });
    return found === null ? [] : await attestedBy(ctx, found, found.manifest);
  } catch (error) {
    const isNone = error instanceof AppError && (error.code === "gone" || (error.code === "not_found" && mayBeUnknown));
    if (isNone) return [];
    throw error;
  }
}

/**
 * The attestations of a version that the viewer is offered: its approval in force with the reviewers' signatures, and as an
 * in-toto statement in a DSSE envelope, both as `npm run verify-approval` reads them; and the SSH signatures of approvers, if there are any. The
 * time of the first is that of the last signature, so that the bytes stay the same; those of the second change when its key is rotated.
 * None for an approval without signatures.
 */
async function attestationsOf(ctx: Ctx, { skill, version: { id } }: Published): Promise<Attestation[]> {
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
