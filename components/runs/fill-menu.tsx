"use client";

import { useQuery } from "@tanstack/react-query";
import { ChevronDown } from "lucide-react";
import { useMemo } from "react";
import { useMe } from "@/components/state/use-me";
import { Button } from "@/components/ui/button";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from "@/components/ui/dropdown-menu";
import { newestRunsQuery } from "@/lib/client/runs";
import { samplesOf } from "./sample-args";

type FillMenuProps = {
  skillId: string;
  schema: Record<string, unknown>;
  onFill: (args: Record<string, unknown>, what: string) => void;
};

/** Arguments to begin with: from the schema, or those of one's last run. */
export function FillMenu({ skillId, schema, onFill }: FillMenuProps) {
  const samples = useMemo(() => samplesOf(schema), [schema]);
  const me = useMe();
  const { data } = useQuery(newestRunsQuery({ skill: skillId }, 30));
  const last = data?.items.find((run) => run.caller.id === me?.user.id) ?? data?.items[0];
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button size="sm" variant="ghost">
          Fill in <ChevronDown aria-hidden />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent>
        {samples.map(({ label, args }) => (
          <DropdownMenuItem key={label} onSelect={() => onFill(args, label)}>
            {label}
          </DropdownMenuItem>
        ))}
        <DropdownMenuItem disabled={!last} onSelect={() => last && onFill(last.args, "The last arguments")}>
          Last arguments
        </DropdownMenuItem>
        <DropdownMenuSeparator />
        <DropdownMenuItem onSelect={() => onFill({}, "Nothing")}>Empty the form</DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
