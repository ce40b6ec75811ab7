import type { Version } from "@/lib/skills/versions/schema";

/** Files about a version for other programs: its attestation, its approval and its bill of materials. */
export function VersionDownloads({ version }: { version: Version }) {
  const { digest, skillId, state } = version;
  const files = [
    ...(state === "approved"
      ? [
          { name: "attestation", ending: "attestation.json", label: "Attestation (in-toto)" },
          { name: "approval", ending: "approval.json", label: "Approval with its signatures" },
        ]
      : []),
    { name: "bill-of-materials", ending: "cdx.json", label: "Bill of materials (CycloneDX)" },
  ];
  return (
    <ul className="flex flex-col gap-1 text-13">
      {files.map(({ name, ending, label }) => (
        <li key={name}>
          <a
            className="rounded-sm underline underline-offset-2"
            href={`/api/skills/${skillId}/versions/${digest}/${name}`}
            download={`${digest.slice(0, 12)}.${ending}`}
          >
            {label}
          </a>
        </li>
      ))}
    </ul>
  );
}
