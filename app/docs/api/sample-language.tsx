"use client";

import { useEffect } from "react";
import { SAMPLE_LANGUAGES } from "@/app/ui/request-samples";

const STORED_AS = "waypost-sample-language";
const BUTTONS = 'input[type="radio"][name^="sample-"]';

/** Shows all samples in the language that was chosen last, also on the next visit. */
export function SampleLanguage() {
  useEffect(() => {
    const stored = read();
    if (SAMPLE_LANGUAGES.some(({ language }) => language === stored)) choose(stored);
    const changed = ({ target }: Event) => {
      if (!(target instanceof HTMLInputElement) || !target.matches(BUTTONS)) return;
      const { top } = target.getBoundingClientRect();
      choose(target.value);
      // Samples above have another height now: what was chosen stays where it is.
      window.scrollBy({ top: target.getBoundingClientRect().top - top, behavior: "instant" });
      write(target.value);
    };
    document.addEventListener("change", changed);
    return () => document.removeEventListener("change", changed);
  }, []);
  return null;
}

function choose(language: string | null): void {
  for (const button of document.querySelectorAll<HTMLInputElement>(BUTTONS))
    if (button.value === language) button.checked = true;
}

/** A browser can forbid storage; then the choice lasts until the page is left. */
function read(): string | null {
  try {
    return localStorage.getItem(STORED_AS);
  } catch {
    return null;
  }
}

function write(language: string): void {
  try {
    localStorage.setItem(STORED_AS, language);
  } catch {
    // See `read`.
  }
}
