export const ROLES = [
  { value: "owner", label: "Owner", description: "May do everything, and make other owners." },
  { value: "admin", label: "Admin", description: "May do everything but change owners." },
  {
    value: "agent",
    label: "Agent",
    description: "Sees messages, requests, contacts and usage, and sends messages.",
  },
] as const;

export type RoleName = (typeof ROLES)[number]["value"];
