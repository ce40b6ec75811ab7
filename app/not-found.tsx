import { AuthFrame } from "@/components/auth/auth-frame";
import { NothingHere } from "@/components/auth/message-page";

export default function NotFound() {
  return (
    <AuthFrame>
      <NothingHere />
    </AuthFrame>
  );
}
