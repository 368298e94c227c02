import { Tag, type Tone } from "@/app/ui/tag";
import type { Template } from "./types";

const TONES = {
  approved: "good",
  pending: "info",
  rejected: "bad",
  paused: "warn",
  disabled: "neutral",
} as const satisfies Record<Template["state"], Tone>;

export function TemplateStateTag({ state }: { state: Template["state"] }) {
  return <Tag tone={TONES[state]}>{state}</Tag>;
}
