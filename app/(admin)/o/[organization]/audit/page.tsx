import type { Metadata } from "next";
import { OnlyFor } from "../shared/only-for";
import { AuditLog } from "./audit-log";

export const metadata: Metadata = { title: "Audit log" };

export default function AuditLogPage() {
  return (
    <OnlyFor capability="audit.read" title="Audit log">
      <AuditLog />
    </OnlyFor>
  );
}
