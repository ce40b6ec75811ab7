"use client";

import { Download } from "lucide-react";
import { Button } from "@/components/ui/button";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from "@/components/ui/dropdown-menu";
import type { AuditFilters } from "@/lib/client/audit";
import { auditExportUrl } from "@/lib/client/audit-chain";

/** The events with the filters that are set, as a file. */
export function ExportMenu({ filters }: { filters: AuditFilters }) {
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button>
          <Download aria-hidden className="size-4" />
          Export
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="end">
        <DropdownMenuItem asChild>
          <a href={auditExportUrl(filters, "ndjson")} download>
            NDJSON, which can be verified
          </a>
        </DropdownMenuItem>
        <DropdownMenuItem asChild>
          <a href={auditExportUrl(filters, "csv")} download>
            CSV, for spreadsheets
          </a>
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
