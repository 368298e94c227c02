import { Table } from "../parts/article";
import { documentation } from "../parts/documentation";

const ROLES = ["owner", "admin", "agent"] as const;

/** The capabilities of each role. */
export async function Permissions() {
  const { rights } = await documentation();
  return (
    <Table
      head={["Permission", "Owner", "Admin", "Agent"]}
      rows={rights.map(({ words, roles, isGrantable }) => ({
        key: words,
        cells: [
          words,
          ...ROLES.map((role) => (roles.includes(role) ? "yes" : isGrantable ? "if granted" : "no")),
        ],
      }))}
    />
  );
}
