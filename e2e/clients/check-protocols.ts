import { join } from "node:path";
import { startApp } from "../fixtures/start-app";
import type { ClientFolders } from "./client-folders";
import { runAuthorization } from "./conformance/run-authorization";
import { runConformance } from "./conformance/run-conformance";
import { verifyWithInspector } from "./inspector";
import { type Missing, PACKAGES } from "./install-packages";
import type { Scoreboard } from "./scoreboard";
import { verifyWithSigstore } from "./sigstore-client";
import { createWorld } from "./world";

type Found = Record<"conformance" | "inspector" | "sigstore" | "node", { folder: string } | Missing>;
type Options = {
  board: Scoreboard;
  folders: ClientFolders;
  found: Found;
  isWanted(name: string): boolean;
  /** Folder of skills for the inspector; without it, it reads made ones. */
  realSkills: string | undefined;
};

/**
 * Runs the official checks of the Model Context Protocol on a server of their own, because their skills fill every list; and another
 * program's verification of an attestation.
 */
export async function checkProtocols({ board, folders, found, isWanted, realSkills }: Options): Promise<void> {
  const wanted = (["inspector", "conformance", "sigstore"] as const).filter((key) => isWanted(PACKAGES[key]));
  const ready = wanted.flatMap((key) => {
    const [entry, node] = [found[key], found.node];
    if ("folder" in entry && "folder" in node)
      return { key, folder: entry.folder, node: join(node.folder, "bin", "node") };
    const lacking = "missing" in entry ? entry : (node as Missing);
    if (lacking.isNpmThere) board.fail(PACKAGES[key], "is installed", lacking.missing);
    else board.skip(PACKAGES[key], "everything", lacking.missing);
    return [];
  });
  if (ready.length === 0) return;
  const app = await startApp();
  try {
    const world = await createWorld(app);
    for (const { key, folder, node } of ready) {
      const given = { world, folders, folder, node };
      if (key === "conformance") {
        await runConformance({ ...given, board, name: PACKAGES.conformance });
        await board.step(PACKAGES.conformance, "passes authorization", () => runAuthorization(given));
      } else if (key === "inspector") {
        await board.step(PACKAGES.inspector, "verifies every file of 100 skills", () =>
          verifyWithInspector({ ...given, realSkills }),
        );
      } else {
        const title = "verifies an attestation, and refuses each change";
        await board.step(PACKAGES.sigstore, title, () => verifyWithSigstore({ world, folder }));
      }
    }
  } finally {
    await app.stop();
    app.remove();
  }
}
