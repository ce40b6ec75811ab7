"use client";

import { RevealedText } from "@/components/code/revealed-text";
import { Badge } from "@/components/ui/badge";
import type { CatalogPack } from "@/lib/catalog/schema";
import { countOf } from "../../skills/skill-words";
import { InstallButton } from "../install/install-button";
import type { Install } from "../install/use-install";

const kindWords: Record<CatalogPack["kind"], string> = { plugin: "Plugin", group: "Group" };

/** The pack the list is narrowed to; it installs as a unit. */
export function PackBanner({ pack, install }: { pack: CatalogPack; install: Install }) {
  const installed = pack.members.filter((member) => member.installed).length;
  const count = pack.members.length;
  const missing = count - installed;
  return (
    <section
      aria-label={`Pack ${pack.name}`}
      className="flex flex-wrap items-center gap-x-6 gap-y-3 rounded-md border p-4"
    >
      <div className="min-w-64 flex-1">
        <h2 className="flex flex-wrap items-center gap-2 text-sm">
          <RevealedText text={pack.name} />
          <Badge>{kindWords[pack.kind]}</Badge>
          {pack.version ? (
            <span className="font-normal text-13 text-muted-foreground">
              <RevealedText text={pack.version} />
            </span>
          ) : null}
        </h2>
        <p className="mt-1 text-13 text-muted-foreground">
          {pack.description ? (
            <>
              <RevealedText text={pack.description} />{" "}
            </>
          ) : null}
          {countOf(count, "skill")} from <RevealedText text={pack.sourceLabel} />
          {installed > 0 ? `, ${installed} installed` : ""}.
        </p>
      </div>
      {missing > 0 ? (
        <InstallButton
          target={{ id: pack.id, name: pack.name }}
          install={install}
          label={installed > 0 ? `Install the other ${missing}` : `Install all ${count}`}
        />
      ) : (
        <Badge>Installed</Badge>
      )}
    </section>
  );
}
