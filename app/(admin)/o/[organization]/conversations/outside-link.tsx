import { Anchor } from "@mantine/core";

/** A link to an address of somebody else, which the browser loads only if it is followed. */
export function OutsideLink({ to }: { to: string }) {
  if (!to.startsWith("https://")) return to;
  return (
    <Anchor inherit underline="always" href={to} target="_blank" rel="noreferrer">
      {to}
    </Anchor>
  );
}
