import { FormDialog, TextareaField } from "@/components/forms/form";
import { useApiForm } from "@/components/forms/use-api-form";
import { CodeBlock } from "@/components/ui/code-block";
import { addSshSignature, sshSignaturesQuery } from "@/lib/client/ssh-signatures";
import { versionPath } from "@/lib/client/versions";
import type { Version } from "@/lib/skills/versions/schema";

/** Adds the approver's own signature over the bytes that the attestation signs. */
export function SshSignatureForm({ version, onDone }: { version: Version; onDone: () => void }) {
  const { skillId, digest } = version;
  const form = useApiForm({
    values: { signature: "" },
    body: ({ signature }) => ({ skillId, digest, signature }),
    send: addSshSignature,
    refresh: [sshSignaturesQuery(skillId, digest).queryKey],
    done: "Your signature is added.",
    onDone,
  });
  const file = `${digest.slice(0, 12)}.bin`;
  return (
    <FormDialog
      form={form}
      title="Add your signature"
      description="Sign the attestation of this approval with an SSH key of your profile. Others can then verify it without this server."
      action="Add signature"
    >
      <ol className="flex list-decimal flex-col gap-2 pl-5 text-13">
        <li>
          <a
            className="rounded-sm underline underline-offset-2"
            href={`${versionPath(skillId, digest)}/attestation/signed-bytes`}
            download={file}
          >
            Download the bytes to sign
          </a>
          . They hold the approval as text, which you can read.
        </li>
        <li>Run this command beside the file, and paste what it prints.</li>
      </ol>
      <CodeBlock
        label="command"
        showLabel={false}
        wrap
        code={`ssh-keygen -Y sign -n skillgate-approval -f ~/.ssh/id_ed25519 < ${file}`}
      />
      <TextareaField form={form} name="signature" label="Signature" required rows={6} className="font-mono text-xs" />
    </FormDialog>
  );
}
