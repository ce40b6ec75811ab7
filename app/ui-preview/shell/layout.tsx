import { AppShell } from "@/components/shell/app-shell";
export default function L({ children }: { children: React.ReactNode }) {
  return <AppShell user={{ name: "Mara Lindqvist", email: "mara@example.org", role: "admin" }}>{children}</AppShell>;
}
