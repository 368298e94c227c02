"use client";

import { useState } from "react";
import { PasswordForm } from "./password-form";
import { SecondFactorForm } from "./second-factor-form";

/** Loads the next page with a full request, so that it is rendered for the new session. */
function goTo(path: string): void {
  window.location.assign(path);
}

export function SignIn({ next }: { next: string }) {
  const [step, setStep] = useState<"password" | "second-factor">("password");
  if (step === "second-factor") {
    return <SecondFactorForm onDone={() => goTo(next)} onBack={() => setStep("password")} />;
  }
  return (
    <PasswordForm
      onDone={({ needsSecondFactor }) => (needsSecondFactor ? setStep("second-factor") : goTo(next))}
    />
  );
}
