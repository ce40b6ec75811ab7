import { ChevronDown, Download } from "lucide-react";
import Link from "next/link";
import { canInstall } from "@/components/catalog/catalog-labels";
import { useMe } from "@/components/state/use-me";
import { Button } from "@/components/ui/button";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from "@/components/ui/dropdown-menu";
import type { CatalogItem } from "@/lib/catalog/schema";
import { skillHref } from "../../skills/skill-labels";
import type { Install, InstallTarget } from "./use-install";

export function EntryInstall({ item, install }: { item: CatalogItem; install: Install }) {
  const skill = item.installedSkillId;
  if (item.updateAvailable && skill) {
    return (
      <Button asChild variant="primary">
        <Link href={`/catalog/updates?skill=${encodeURIComponent(skill)}`}>View update</Link>
      </Button>
    );
  }
  if (item.installed && skill) {
    return (
      <Button asChild>
        <Link href={skillHref({ id: skill })}>Open skill</Link>
      </Button>
    );
  }
  if (!canInstall(item)) return null;
  return <InstallButton target={{ id: item.id, name: item.name }} install={install} label="Install" />;
}

/** Reviewers and admins may also install for everyone. */
export function InstallButton({ target, install, label }: { target: InstallTarget; install: Install; label: string }) {
  const me = useMe();
  const isRunning = install.isRunning && install.target?.id === target.id;
  const mayForAll = me !== undefined && me.user.role !== "user";
  return (
    <span className="inline-flex">
      <Button
        variant="primary"
        pending={isRunning}
        onClick={() => install.start(target, "me")}
        className={mayForAll ? "rounded-r-none" : ""}
      >
        <Download aria-hidden />
        {label}
      </Button>
      {mayForAll ? (
        <DropdownMenu>
          <DropdownMenuTrigger asChild>
            <Button
              variant="primary"
              aria-label="Choose who to install for"
              className="rounded-l-none border-l-primary-foreground/30 px-1.5"
            >
              <ChevronDown aria-hidden />
            </Button>
          </DropdownMenuTrigger>
          <DropdownMenuContent>
            <DropdownMenuItem onSelect={() => install.start(target, "me")}>Install for me</DropdownMenuItem>
            <DropdownMenuItem onSelect={() => install.start(target, "org")}>
              Install for the organisation
            </DropdownMenuItem>
          </DropdownMenuContent>
        </DropdownMenu>
      ) : null}
    </span>
  );
}
