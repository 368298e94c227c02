import { useViewer } from "../shell/viewer";

/** Whether the viewer is an owner of the organization that the page is about. */
export function useIsOwner(): boolean {
  const { me, organization } = useViewer();
  return me.organizations.some(({ id, role }) => id === organization.id && role === "owner");
}
