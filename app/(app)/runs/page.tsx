import type { Metadata } from "next";
import { RunsPage } from "@/components/runs/list/runs-page";

export const metadata: Metadata = { title: "Runs" };

export default function Runs() {
  return <RunsPage />;
}
