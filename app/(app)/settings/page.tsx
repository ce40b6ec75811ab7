import type { Metadata } from "next";
import { ProfileSection } from "@/components/settings/profile-section";

export const metadata: Metadata = { title: "Profile" };

export default function Profile() {
  return <ProfileSection />;
}
