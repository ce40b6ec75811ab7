import { DownloadButton } from "@/components/json/download-button";
import { CodeBlock } from "@/components/ui/code-block";
import { Section } from "@/components/ui/section";
import type { Connection } from "@/lib/client/connect";
import { managedSettings } from "./managed-settings";

/** For those who manage machines: Claude Code takes marketplaces of this host and of no other. */
export function ManagedSettings({ connection }: { connection: Connection }) {
  const text = managedSettings(connection);
  return (
    <Section
      title="Allow this host only"
      description="Managed settings of Claude Code: people can add marketplaces of this server, and no others."
    >
      <CodeBlock
        code={text}
        label="managed-settings.json"
        actions={
          <DownloadButton label="Download managed-settings.json" filename="managed-settings.json" text={`${text}\n`} />
        }
      />
      <dl className="flex flex-col gap-1 text-muted-foreground text-xs">
        {places.map(([system, path]) => (
          <div key={system}>
            <dt className="inline">{system}: </dt>
            <dd className="inline">
              <code className="break-all font-mono">{path}</code>
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

const places = [
  ["Linux", "/etc/claude-code/managed-settings.json"],
  ["macOS", "/Library/Application Support/ClaudeCode/managed-settings.json"],
  ["Windows", "C:\\Program Files\\ClaudeCode\\managed-settings.json"],
] as const;
