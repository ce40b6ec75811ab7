import { AuthFrame } from "@/components/auth/auth-frame";
import { NotFoundMessage } from "@/components/auth/message-page";

export default function NotFound() {
  return (
    <AuthFrame>
      <NotFoundMessage />
    </AuthFrame>
  );
}
