import { useViewer } from "../shared/viewer";

/** True if the viewer is an owner of the current organization. */
export function useIsOwner(): boolean {
  const { me, organization } = useViewer();
  return me.organizations.some(({ id, role }) => id === organization.id && role === "owner");
}
