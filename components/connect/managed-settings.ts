import type { Connection } from "@/lib/client/connect";

/**
 * Claude Code’s managed settings (client 2.1.329) that let people add marketplaces of this host and no other, and know this
 * server’s from the start.
 */
export function managedSettings({ url, instance }: Pick<Connection, "url" | "instance">): string {
  const { hostname, port } = new URL(url);
  // The name alone or with its port: what counts as the host of an address differs between forms of it.
  const hostPattern = `^${escapePattern(hostname)}${port === "" ? "" : `(:${port})?`}$`;
  return JSON.stringify(
    {
      strictKnownMarketplaces: [{ source: "hostPattern", hostPattern }],
      extraKnownMarketplaces: { [instance]: { source: { source: "url", url: `${url}/marketplace.json` } } },
    },
    null,
    2,
  );
}

function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
