"use client";

import { useState } from "react";
import { PasswordForm } from "./password-form";
import { SecondFactorForm } from "./second-factor-form";

/** Goes on by a new request, so that the next page is made for whoever has signed in. */
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
