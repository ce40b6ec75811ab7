import { ShieldAlert } from "lucide-react";
import { RevealedText } from "@/components/code/hidden-notice";
import { DefinitionList } from "@/components/ui/definition-list";
import { Digest } from "@/components/ui/digest";
import { RelativeTime } from "@/components/ui/relative-time";
import type { Trust, Version } from "@/lib/skills/versions/schema";

import { sentenceCase } from "../skill-labels";

const labels: Record<string, string> = {
  file: "File",
  folder: "Folder",
  base: "Edited from",
  repo: "Repository",
  repository: "Repository",
  ref: "Branch or tag",
  commit: "Commit",
  treeSha: "Tree",
};

/** Keys that are shown elsewhere or only matter to programs. */
const hiddenKeys = new Set(["at", "repositoryId", "webUrl"]);

export function ProvenanceList({ version }: { version: Version }) {
  const origin = Object.entries(version.provenance).filter(
    ([key, value]) => typeof value === "string" && value !== "" && !hiddenKeys.has(key),
  );
  const { webUrl } = version.provenance;
  return (
    <DefinitionList
      items={[
        { term: "Imported by", value: version.createdBy.name },
        { term: "Imported", value: <RelativeTime value={version.createdAt} /> },
        ...origin.map(([key, value]) => ({
          term: labels[key] ?? sentenceCase(key),
          value: <OriginValue text={String(value)} />,
        })),
        {
          term: "Version",
          value: (
            <>
              {version.number} <Digest value={version.digest} label="version digest" />
            </>
          ),
        },
        { term: "Trust", value: <TrustState trust={version.trust} /> },
        { term: "Author signature", value: <SignatureState signature={version.signature} /> },
        ...(typeof webUrl === "string" ? [{ term: "Upstream", value: <UpstreamFolder href={webUrl} /> }] : []),
      ]}
    />
  );
}

const signatureStates: Record<Version["signature"]["state"], string> = {
  unsigned: "Unsigned",
  valid: "Valid",
  unknown_key: "Unknown key",
  invalid: "Invalid",
};

function SignatureState({ signature: { state, key, message } }: Pick<Version, "signature">) {
  const text = state === "valid" && key !== null ? `${signatureStates[state]} (${key})` : signatureStates[state];
  return (
    <span title={message} className={state === "invalid" ? "text-warning" : undefined}>
      {text}
    </span>
  );
}

function UpstreamFolder({ href }: { href: string }) {
  if (!/^https?:\/\//.test(href)) return <RevealedText text={href} />;
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer nofollow"
      title={href}
      className="text-primary underline underline-offset-2"
    >
      Folder at this commit
    </a>
  );
}

function OriginValue({ text }: { text: string }) {
  if (/^[0-9a-f]{40,64}$/.test(text)) return <Digest value={text} />;
  return <RevealedText text={text} className="[overflow-wrap:anywhere]" />;
}

const tiers: Record<Trust["tier"], string> = {
  bundled: "Bundled with the release",
  workspace: "Created or imported here",
  indexed: "From a catalog source",
  unreviewed: "Not reviewed",
};
const signatures: Record<Trust["signature"], string> = {
  verified: "all files verified by this server’s signatures",
  failed: "signatures invalid",
  unsigned: "no valid signature",
};

/** The trust tier of a version, and whether the stored files match the signed ones. */
function TrustState({ trust }: { trust: Trust }) {
  if (trust.signature !== "failed") return <>{trustSentence(trust)}</>;
  return (
    <span className="flex items-start gap-1.5 font-medium text-danger">
      <ShieldAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span>
        {trustSentence(trust)}
        {trust.problem ? <span className="block font-normal">{trust.problem}</span> : null}
      </span>
    </span>
  );
}

export function trustSentence({ tier, signature }: Trust): string {
  return `${tiers[tier]}; ${signatures[signature]}`;
}
