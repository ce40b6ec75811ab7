import { MessagePage } from "./message-page";

/** Shown at every address of a server without an admin. */
export function SetupNeeded() {
  return (
    <MessagePage title="This server is not set up yet">
      <p>
        It has no admin. When it started, it printed a link that creates the first one:{" "}
        <code className="break-all font-mono text-xs">/setup?token=…</code>. Open that link.
      </p>
      <p>
        The link is in the terminal or the log of the server: <code className="font-mono text-xs">docker logs</code> or{" "}
        <code className="font-mono text-xs">journalctl</code>. It works once; a restart prints a new one.
      </p>
    </MessagePage>
  );
}
