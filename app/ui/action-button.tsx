import { Button, type ButtonProps } from "@mantine/core";
import type { ReactNode } from "react";
import { Fault } from "./query-state";
import type { useAction } from "./use-action";

/** A button that acts immediately, without a dialog. An error is shown next to it. */
export function ActionButton({
  act,
  ...button
}: Pick<ButtonProps, "size" | "variant" | "color"> & {
  act: ReturnType<typeof useAction>;
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
