import { AuthFrame } from "@/components/auth/auth-frame";
import { NothingHere } from "@/components/auth/nothing-here";

export default function NotFound() {
  return (
    <AuthFrame>
      <NothingHere />
    </AuthFrame>
  );
}
