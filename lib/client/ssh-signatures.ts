import type { AddSshKeyInput, SshKey, SshKeyList } from "@/lib/auth/schema";
import type { SshSignature, SshSignatureList } from "@/lib/review/attest/schema";
import { answerOf, listOf, sendDelete, sendPost } from "./api";
import { answerQuery } from "./queries";
import { reviewsKey } from "./reviews";
import { versionPath } from "./versions";

export const sshKeysQuery = answerQuery(["ssh-keys"], "/api/me/ssh-keys", listOf<SshKeyList>(), { staleTime: 10_000 });

export const addSshKey = (input: AddSshKeyInput) => sendPost("/api/me/ssh-keys", answerOf<SshKey>(), input);

export const removeSshKey = (id: string) => sendDelete(`/api/me/ssh-keys/${id}`);

/** The approvers' own signatures beside the attestation of an approved version. */
export const sshSignaturesQuery = (skillId: string, digest: string) =>
  answerQuery(
    [...reviewsKey, "ssh-signatures", skillId, digest],
    `${versionPath(skillId, digest)}/attestation/ssh-signatures`,
    listOf<SshSignatureList>(),
    { staleTime: 10_000 },
  );

export const addSshSignature = ({
  skillId,
  digest,
  signature,
}: {
  skillId: string;
  digest: string;
  signature: string;
}) => sendPost(`${versionPath(skillId, digest)}/attestation/ssh-signatures`, answerOf<SshSignature>(), { signature });
