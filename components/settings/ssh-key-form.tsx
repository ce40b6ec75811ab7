import { FormDialog, TextareaField, TextField } from "@/components/forms/form";
import { useApiForm } from "@/components/forms/use-api-form";
import { useMe } from "@/components/state/use-me";
import { CodeBlock } from "@/components/ui/code-block";
import { addSshKey, sshKeysQuery } from "@/lib/client/ssh-signatures";

/** Registers a key by a signature over the person's id, which also holds the public key. */
export function SshKeyForm({ onDone }: { onDone: () => void }) {
  const me = useMe();
  const form = useApiForm({
    values: { name: "", proof: "" },
    send: addSshKey,
    refresh: [sshKeysQuery.queryKey],
    done: ({ name }) => `“${name}” is added.`,
    onDone,
  });
  return (
    <FormDialog
      form={form}
      title="Add SSH key"
      description="Run this command with your key, and paste what it prints. It proves that the key is yours."
      action="Add key"
    >
      <CodeBlock
        label="command"
        showLabel={false}
        wrap
        code={`printf %s ${me?.user.id ?? ""} | ssh-keygen -Y sign -n skillgate-key -f ~/.ssh/id_ed25519`}
      />
      <TextField form={form} name="name" label="Name" required maxLength={100} placeholder="Laptop" />
      <TextareaField form={form} name="proof" label="Signature" required rows={6} className="font-mono text-xs" />
    </FormDialog>
  );
}
