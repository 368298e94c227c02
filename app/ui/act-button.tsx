import { Button, type ButtonProps } from "@mantine/core";
import type { ReactNode } from "react";
import { Fault } from "./fault";
import type { useAct } from "./use-act";

/** A button that acts at once, without a dialog. Where that was refused, it stands beside it. */
export function ActButton({
  act,
  ...button
}: Pick<ButtonProps, "size" | "variant" | "color"> & {
  act: ReturnType<typeof useAct>;
  "aria-label"?: string;
  children: ReactNode;
}) {
  return (
    <>
      <Fault of={act.faultBeside()} />
      <Button {...button} loading={act.isBusy} onClick={act.run} />
    </>
  );
}
