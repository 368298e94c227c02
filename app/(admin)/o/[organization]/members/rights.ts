export const ROLES = [
  {
    value: "owner",
    label: "Owner",
    description: "Can do everything, including making other members owners.",
  },
  { value: "admin", label: "Admin", description: "Can do everything except change owners." },
  {
    value: "agent",
    label: "Agent",
    description: "Can view messages, requests, contacts and usage, and send messages.",
  },
] as const;

export type RoleName = (typeof ROLES)[number]["value"];
