import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { RevealedText } from "@/components/code/hidden-notice";
import { errorText } from "@/components/state/describe-error";
import { useMe } from "@/components/state/use-me";
import { Button } from "@/components/ui/button";
import { deferred } from "@/components/ui/deferred/deferred";
import { Dialog } from "@/components/ui/dialog";
import { RelativeTime } from "@/components/ui/relative-time";
import { Section } from "@/components/ui/section";
import { sshSignaturesQuery } from "@/lib/client/ssh-signatures";
import type { Version } from "@/lib/skills/versions/schema";

const SshSignatureForm = deferred(async () => (await import("./ssh-signature-form")).SshSignatureForm);

/** The approvers' own signatures of an approved version; nothing for others while there are none. */
export function SshSignatures({ version }: { version: Version }) {
  const { skillId, digest, decisions } = version;
  const me = useMe();
  const query = useQuery(sshSignaturesQuery(skillId, digest));
  const [isAdding, setAdding] = useState(false);
  if (query.error) return <p className="text-13 text-danger">{errorText(query.error)}</p>;
  if (!query.data) return null;
  const { items } = query.data;
  const mayAdd =
    decisions.some(({ actor, standing }) => standing === "counts" && actor.id === me?.user.id) &&
    !items.some(({ signer }) => signer.id === me?.user.id);
  if (items.length === 0 && !mayAdd) return null;
  return (
    <Section title="SSH signatures" level={3} className="gap-2">
      <ul className="flex flex-col gap-2 text-13">
        {items.map(({ signer, at, fingerprint }) => (
          <li key={signer.id} data-fact="">
            <RevealedText text={signer.name} /> signed the approval with an SSH key, <RelativeTime value={at} />
            <span className="block font-mono text-muted-foreground text-xs [overflow-wrap:anywhere]">
              {fingerprint}
            </span>
          </li>
        ))}
      </ul>
      {mayAdd ? (
        <Button className="self-start" onClick={() => setAdding(true)}>
          Add your signature
        </Button>
      ) : null}
      <Dialog open={isAdding} onOpenChange={setAdding}>
        {isAdding ? <SshSignatureForm version={version} onDone={() => setAdding(false)} /> : null}
      </Dialog>
    </Section>
  );
}
