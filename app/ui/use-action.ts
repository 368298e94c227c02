"use client";

import { notifications } from "@mantine/notifications";
import { type SubmitEvent, useRef, useState } from "react";
import { inForm, leaveWithoutAccess, noteSaved } from "./leave";
import { upperFirst } from "./format";
import { toApiError } from "./api-error";
import { useFocusKept } from "./focus";

/**
 * Runs an action of a form or a button. Only one run is active, however often it is clicked. After an error, the input
 * stays and the message is shown at the fields that it names. Neither input nor result is stored, so they may contain a
 * secret.
 * @param done the text of the success notification. Omitted if the page itself shows the success.
 */
export function useAction(perform: () => Promise<unknown>, done?: string) {
  const isRunning = useRef(false);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const run = async (form?: Submitted) => {
    if (isRunning.current) return;
    isRunning.current = true;
    setBusy(true);
    setError(null);
    try {
      await perform();
      if (form !== undefined) noteSaved(form.element);
      if (done !== undefined) notifications.show({ message: done });
    } catch (fault) {
      setError(inForm(fault, form?.button));
      leaveWithoutAccess(fault);
    }
    isRunning.current = false;
    setBusy(false);
  };
  useFocusKept(isBusy, error);
  const apiError = error === null ? null : toApiError(error);
  const isAt = (field: string) => apiError !== null && isNamed(apiError.field, field);
  const faultAt = (field: string) => {
    if (apiError === null) return null;
    const fault = isAt(field) ? apiError : apiError.others.find((other) => isNamed(other.field, field));
    return fault === undefined ? null : besideItsField(fault.message);
  };
  return {
    isBusy,
    run: () => void run(),
    forget: () => setError(null),
    faultAt,
    /** Returns the error, unless it belongs to one of these fields; else null. */
    faultBeside: (...fields: string[]) => (fields.some(isAt) ? null : error),
    onSubmit: (event: SubmitEvent<HTMLFormElement>) => {
      event.preventDefault();
      const button = event.nativeEvent.submitter?.textContent;
      void run({ element: event.currentTarget, button: button || undefined });
    },
  };
}

/**
 * Like `useAction`, for an action with an input, such as a choice. An input that is given during a run is performed
 * after it; of several, only the last one, because it replaces the others.
 */
export function useActionWith<Input>(perform: (input: Input) => Promise<unknown>) {
  const next = useRef<{ readonly input: Input } | null>(null);
  const {
    run,
    onSubmit: _,
    ...act
  } = useAction(async () => {
    while (next.current !== null) {
      const { input } = next.current;
      next.current = null;
      try {
        await perform(input);
      } catch (fault) {
        if (next.current === null) throw fault;
      }
    }
  });
  return {
    ...act,
    run: (input: Input) => {
      next.current = { input };
      run();
    },
  };
}

interface Submitted {
  readonly element: HTMLFormElement;
  /** The label of the button that submitted the form. */
  readonly button: string | undefined;
}

/** Fields are paths: an error at `account.name` is also at `account`. */
const isNamed = (path: string | null, field: string) => `${path ?? ""}.`.startsWith(`${field}.`);

/** Messages start with the field's name as spelled in the code, for programs: "`account.password` must have …". */
function besideItsField(message: string): string {
  return upperFirst(message.replace(/^`[^`]*` /, ""));
}
