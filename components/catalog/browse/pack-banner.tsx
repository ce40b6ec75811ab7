import { RevealedText } from "@/components/code/hidden-notice";
import { Badge } from "@/components/ui/badge";
import type { CatalogPack } from "@/lib/catalog/schema";
import { countOf } from "../../skills/skill-labels";
import { InstallButton } from "../install/install-button";
import type { Install } from "../install/use-install";

const packKindLabels: Record<CatalogPack["kind"], string> = { plugin: "Plugin", group: "Group" };

/** A pack that the list is filtered by, with its installation; renders nothing without one. */
export function PackBanner({ pack, install }: { pack: CatalogPack | undefined; install: Install }) {
  if (pack === undefined) return null;
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
          <Badge>{packKindLabels[pack.kind]}</Badge>
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
